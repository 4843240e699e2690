"""What was promised to saved games: positions and transcripts as they once came out, and still do."""
