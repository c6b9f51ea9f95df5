"""The review dashboard: Streamlit pages, thin over the use cases of `verifier.review`."""
