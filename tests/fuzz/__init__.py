"""Requests that nobody would send, for as long as one likes: what holds of every answer is held against each."""
