"""A game and a language, invented for a test that adds each as one folder."""
