"""The worked examples of the view Learn, as data: one file for each group.

A file has a ``title``, a ``summary`` and ``examples``. An example has a ``name``, a ``title``, a
``sentence``, and as ``room`` the view that shows it: ``graph`` with a ``game`` in the JSON format
of games and perhaps a ``solver`` whose steps are worth a look (``trace``), or ``values`` or
``play`` with the ``parameters`` of the address. ``expect`` is what the sentence says, for the
tests, and ``file`` is the file of the repository that has the same graph.
"""
