# SPDX-License-Identifier: Apache-2.0
"""Functions that keep a state for each key, the rest of a number divided by 5, and some that do so in a wrong way."""

from thalweg import operator


@operator(state=True)
def counted(key, state, value):
    """The value, as the state says it: rows of a key come in their order, each once."""
    state = (state or 0) + 1
    return state, (state - 1) * 5 + key


@operator(state=True, batch=True)
def counted_all(key, state, values):
    state = state or 0
    return state + len(values), [(state + i) * 5 + key for i in range(len(values))]


@operator(state=True)
def raises(key, state, value):
    return checked(key, value)


def checked(key, value):
    if value == 12:
        raise ValueError("no %d for %d" % (value, key))
    return value, value


@operator(state=True, batch=True)
def raises_all(key, state, values):
    return len(values), [checked(key, value)[1] for value in values]


@operator(state=True)
def unsaved(key, state, value):
    return object(), value


@operator(state=True)
def large(key, state, value):
    return (state or "") + "x" * 500, value


@operator(state=True)
def alone(key, state, value):
    return value


def stateless(value):
    return value


@operator(state=True)
def narrow(key, value):
    return None, value


@operator(state=True)
def placed(key, state, value):
    """The place of a row among those of its key that are not bad."""
    state = (state or 0) + 1
    return state, "\ud800" if value == "half" else str(state)
