"""Where the command ``zermelo`` starts: outside the package, so that this comes before NumPy.

NumPy starts a thread for each core when it is imported, for linear algebra that nothing here does,
and that takes about a tenth of a second.
"""

import os


def main() -> None:
    """Run the command."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from zermelo.cli.main import main as run

    run()
