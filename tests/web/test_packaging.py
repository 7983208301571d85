"""What the explorer adds is paid for only by those who use it."""

import subprocess
import sys

PACKAGES = ("starlette", "uvicorn", "h11", "anyio", "msgspec", "zermelo.web", "anywidget")

IMPORTED = f"""
import sys
import zermelo
from zermelo.cli.main import cli
import zermelo.cli.rules.serve
print([name for name in {PACKAGES} if name in sys.modules])
"""

LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_DATA, (1 << 29, 1 << 29))
from zermelo._runtime.memory import available
print(available() <= 1 << 29)
"""


def shown(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout.strip()


def test_the_plain_package_imports_nothing_of_it():
    assert shown(IMPORTED) == "[]"


def test_the_bound_of_a_worker_counts_as_free_memory():
    assert shown(LIMITED) == "True"
