"""The engine: keeps a world open, asks the proposer, runs attempts, publishes revisions. It knows no screen."""
