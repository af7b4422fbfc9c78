"""Pages and pictures that a notebook shows in place."""

import html
from pathlib import Path


class Report:
    """A report as one page."""

    def __init__(self, text):
        self.html = text

    def save(self, path):
        """Write the page."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self):
        # The page has its own styles; a frame keeps them from the notebook's.
        return (
            f'<iframe srcdoc="{html.escape(self.html, quote=True)}" sandbox="allow-scripts" title="report" '
            'style="width:100%;height:720px;border:1px solid #ccc"></iframe>'
        )


class Picture:
    """A drawing."""

    def __init__(self, text):
        self.svg = text

    def save(self, path):
        """Write the drawing."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self):
        return self.svg
