"""What screens are made of, without a browser. The tour: ``screen`` (what a screen is and what the shell does for it), ``html``
(buttons, fields and lists as text), ``rulebook`` (a family's rules as HTML), ``qr`` (an invite as a picture)."""
