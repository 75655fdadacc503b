"""A current libcurl: the one that the wheel of pycurl contains."""

from pathlib import Path

import pycurl


def path():
    """The library, which is loaded into a program with LD_PRELOAD."""
    folder = Path(pycurl.__file__).parent
    folders = [folder / "pycurl.libs", folder.parent / "pycurl.libs"]
    return str(next(file for folder in folders for file in folder.glob("libcurl-*.so*")))


def version():
    return pycurl.version_info()[1]
