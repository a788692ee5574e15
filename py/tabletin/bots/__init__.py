"""What bots share: playing on in imagined worlds, drawing worlds that fit a view, and measuring strength."""
