"""What crosses between the engine and its clients: commands in, snapshots and events out."""
