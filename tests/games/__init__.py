"""Whole games: a seeded player, the decks of the scenarios, and what must hold on the way."""
