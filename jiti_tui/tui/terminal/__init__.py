"""What the terminal shows, and the fewest bytes that make it show something else."""
