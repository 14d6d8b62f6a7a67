"""The world folder: `world.toml`, its files, checks and requests."""
