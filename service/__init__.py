"""The service: HTTP and languages, and no rule."""
