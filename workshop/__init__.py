"""The workshop: sets up, builds, serves and tests the site. Nothing here is part of the page; standard library only,
except what runs after set-up in our own virtual environment."""
