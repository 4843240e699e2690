"""The games: pure functions over immutable positions. No HTTP, no language, no clock."""
