# SPDX-License-Identifier: Apache-2.0
"""Writes a topology of the streamparse project in the working directory as Flux YAML, with the options of `sparse run`.

Arguments: the file to write, the name of the topology, and the environment of config.json; empty for the only one.
"""
import os
import sys
import traceback


def fail(problem):
    print(problem)
    sys.exit(1)


try:
    from ruamel import yaml
    from streamparse import util
    from streamparse.cli.common import resolve_options
except ImportError as e:
    fail(f"{sys.executable} cannot import streamparse: {e}; pip install streamparse, or name another Python with --python")

target, name, environment = sys.argv[1:4]
name, file = util.get_topology_definition(name or None)
name = name.strip("/")
config = util.get_config()
environment, env_config = util.get_env_config(environment or None)
try:
    topology = util.get_topology_from_file(file)
except Exception as e:
    frames = [each for each in traceback.extract_tb(e.__traceback__) if each.filename.startswith(os.getcwd())]
    fail("".join(traceback.format_list(frames) + traceback.format_exception_only(type(e), e)))
util.set_topology_serializer(env_config, config, topology)
env_config.setdefault("virtualenv_root", "")
options = resolve_options(None, env_config, topology, name, local_only=True)
if options["topology.acker.executors"] != 0:
    options["topology.acker.executors"] = 1
options["topology.workers"] = 1

# The command that starts a component need not be on the path: it lies beside this Python.
command = os.path.join(os.path.dirname(sys.executable), "streamparse_run")
for component in [*topology.thrift_bolts.values(), *topology.thrift_spouts.values()]:
    shell = (component.bolt_object if hasattr(component, "bolt_object") else component.spout_object).shell
    if shell is not None and shell.execution_command == "streamparse_run" and os.path.exists(command):
        shell.execution_command = command
for spec in topology.specs:
    if isinstance(spec.par, dict):
        spec.par = spec.par.get(environment)

flux = topology.to_flux_dict(name)
flux["config"] = options
writer = yaml.YAML(typ="safe", pure=True)
writer.default_flow_style = False
writer.version = (1, 1)  # as Flux reads it: "on" is a boolean there
writer.allow_unicode = False
with open(target + ".new", "w", encoding="ascii") as out:
    writer.dump(flux, out)
os.replace(target + ".new", target)  # nothing is there if a value cannot be written
