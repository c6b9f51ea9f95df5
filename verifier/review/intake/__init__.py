"""The site's records taken in or withdrawn, and the reviews judged again by them."""
