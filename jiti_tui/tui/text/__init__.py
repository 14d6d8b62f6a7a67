"""Text for the screen: made safe, measured in cells, and given a role instead of a colour."""
