"""Mutation testing of the packages that judge, ``python3 check.py --mutants``; ``docs/mutants.md`` says what it found."""
