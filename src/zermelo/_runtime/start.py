"""The first thing that ``python -m zermelo`` imports, before NumPy: Ctrl-C makes no traceback.

The command ``zermelo`` does the same in ``zermelo_command``. Who imports the package as a library
keeps the handler that was there.
"""

import signal
import sys

_words = sys.orig_argv
if (
    sys.argv[:1] == ["-m"]  # which it is only while the package that is to run is imported
    and "-m" in _words
    and _words[_words.index("-m") + 1 :][:1] == ["zermelo"]
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
