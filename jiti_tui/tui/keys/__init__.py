"""What each key does. Dispatch, footer and the list of keys are made from one table."""
