"""Where the command ``zermelo`` starts: outside the package, so that this comes before NumPy.

NumPy starts a thread for each core when it is imported, for linear algebra that nothing here does,
and that takes about a tenth of a second.
"""

import os
import signal


def main() -> None:
    """Run the command."""
    # While modules are imported, Ctrl-C ends the process without a traceback; the command line
    # listens to it when it can say something.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from zermelo.cli.main import main as run

    run()
