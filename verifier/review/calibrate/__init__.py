"""Drawing a table's layout: a proposal from a still, the drawing as a layout, and where layouts are kept."""
