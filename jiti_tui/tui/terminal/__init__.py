"""Stands between Textual and the terminal, and sends the difference between frames: over SSH each byte is delay.

Textual writes each widget that has changed as whole rows, with all their colours. Of such a frame most cells are on the
terminal already. So `Display` remembers what every cell shows. It has each frame read into cells (`frame`, `look`) and
has the way from the old cells to the new ones written (`writing`): what stands is jumped over, rows that have moved up
or down are scrolled by the terminal (`scrolling`), parts of rows that have moved aside are shifted by it (`shifting`).
What not every terminal can do is looked up in terminfo (`abilities`).

What is no frame passes as it is. So does a frame in which there is a sequence that is not known here; the display is
forgotten then, and each cell is written again with the next frame that has it.
"""
