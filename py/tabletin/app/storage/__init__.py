"""What this device keeps, without a browser. The tour: ``matches`` (what a store of matches and the locks of tabs promise),
``rows`` (a match as rows, and back), ``texts`` (small texts), ``archive`` (everything as one file). See docs/storage.md."""
