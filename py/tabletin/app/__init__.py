"""The page: shell, table, drawing, storage, announcer. The only place, with boards, that may know a browser."""
