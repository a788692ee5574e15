"""Tabletin: a tin of table games whose matches are logs and whose states are what one reader knows."""

__version__ = "0.1.0"
