# SPDX-License-Identifier: Apache-2.0
# Given to the interpreter as text, so it must be valid in any Python that somebody may have: it says which one that is.
import sys

if sys.version_info < (3, 9):
    sys.stderr.write("thalweg: python %d.%d.%d\n" % tuple(sys.version_info[:3]))
    sys.exit(91)

import importlib.abc
import importlib.machinery
import importlib.util
import os
import struct


def _protect():
    """Keeps standard input and output for the protocol: what else writes there goes to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb", 1 << 16), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    return requests, answers


def _text(requests):
    (length,) = struct.unpack(">i", requests.read(4))
    return requests.read(length).decode("utf-8")


class _Shipped(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the modules that came with the job; they are never written to a disk."""

    def __init__(self, requests):
        (count,) = struct.unpack(">i", requests.read(4))
        self._modules = {}
        for _ in range(count):
            name = _text(requests)
            self._modules[name] = (_text(requests), _text(requests))

    def find_spec(self, fullname, path=None, target=None):
        found = self._modules.get(fullname)
        if found is None:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=found[0], is_package=self.is_package(fullname))
        spec.has_location = True
        return spec

    def is_package(self, fullname):
        return self._modules[fullname][0].endswith("__init__.py")

    def get_source(self, fullname):
        return self._modules[fullname][1]

    def get_code(self, fullname):
        path, text = self._modules[fullname]
        return compile(text, path, "exec", dont_inherit=True)


def _main():
    requests, answers = _protect()
    sys.meta_path.insert(0, _Shipped(requests))
    sys.path[:] = [each for each in sys.path if each != ""]
    from thalweg import _worker

    _worker.main(requests, answers)


_main()
