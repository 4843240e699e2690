"""Clients that other programs would generate from the contract, generated, compiled and used."""
