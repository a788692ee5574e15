"""Every page of the site but the table itself, each by its address (``routes``). Pure: they make HTML and answer what is tapped.

The tour: ``home``, ``new_match``, ``match`` (a table and what stands around it, its result, its replay), ``room`` (meeting
friends far away), ``history``, ``rules``, ``guide``, ``lesson``, ``settings``, ``judge``, ``not_found``.
"""
