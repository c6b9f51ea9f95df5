"""Who may do what: roles, accounts with passwords, sessions. Every act of the review room asks here first."""
