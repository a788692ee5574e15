"""What this device keeps, without a browser. The tour: ``matches`` (what a store of matches and the locks of tabs promise),
``persistence`` (one match on disk: as rows and back, written by its tab), ``texts`` (small texts), ``archive`` (everything as
one file). See docs/storage.md."""
