"""The widgets that Textual knows: four parts of the screen, which paint lines."""
