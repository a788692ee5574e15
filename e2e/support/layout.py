"""What a screen must not do: run over its width, or have something to tap that is too small."""

from __future__ import annotations

TOO_SMALL = """
() => [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter((control) => {
  if (control.closest("[hidden], .unseen, article p, article li, figcaption") || control.matches(".unseen")) return false;
  const box = control.getBoundingClientRect();
  return box.width > 0 && (box.height < 43.9 || box.width < 43.9);
}).map((control) => control.outerHTML.slice(0, 120))
"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
