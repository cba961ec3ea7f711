"""`python -m wiregen`."""

from wiregen.cli import main

main()
