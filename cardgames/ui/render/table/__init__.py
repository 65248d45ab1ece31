"""The table on a canvas: places for a window's size, the parts that all tables share, and the blocks in the middle."""
