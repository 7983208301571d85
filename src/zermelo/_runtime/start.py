"""The first module that ``python -m zermelo`` imports, before NumPy: Ctrl-C prints no traceback.

The command ``zermelo`` does the same in ``zermelo_command``. A program that imports the package as
a library keeps its own handler.
"""

import signal
import sys

_arguments = sys.orig_argv
if (
    sys.argv[:1] == ["-m"]  # true only while Python imports the package that it is to run
    and "-m" in _arguments
    and _arguments[_arguments.index("-m") + 1 :][:1] == ["zermelo"]
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
