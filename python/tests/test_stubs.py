"""The stubs are compared with the module by mypy's stubtest."""

import pathlib
import subprocess
import sys

PACKAGE = pathlib.Path(__file__).parents[1] / "package"


def test_the_stubs_describe_the_module():
    command = [sys.executable, "-m", "mypy.stubtest", "zhushu._zhushu", "--ignore-missing-stub"]
    done = subprocess.run(command, capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE)})
    assert done.returncode == 0, done.stdout
