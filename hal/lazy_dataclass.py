"""The standard library's ``dataclass``, whose functions are compiled when they are first needed.

``@dataclasses.dataclass`` writes and compiles six functions for each frozen class when a module is loaded: a fifth
of all that a table did until it was ready, most of it for events and documents that this table never makes. Here a
class gets each with its first instance, comparison or text, so that it is as if it had been decorated there;
``dataclasses.replace`` and the like work on it.

Modules that every table loads take ``dataclass`` from here. :mod:`controller.tracking` does not: mypyc compiles it.
"""

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # For mypy the two are one.
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """As :func:`dataclasses.dataclass`."""

        def decorate(cls: type) -> type:
            if options.keys() - {"frozen", "slots"} or any(map(dataclasses.is_dataclass, cls.__bases__)):
                return dataclasses.dataclass(cls, **options)  # As few are.
            return _decorated(cls, options.get("frozen", False), options.get("slots", False))

        return decorate if cls is None else decorate(cls)


def _decorated(cls: type, frozen: bool, slots: bool) -> Any:
    own = cls.__dict__
    methods = [name for name in ("__init__", "__repr__", "__eq__") if name not in own]
    hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    if frozen and not hashed:
        methods.append("__hash__")
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__dataclass_params__.frozen = frozen  # A class that inherits from this one asks.
    for name in methods:
        setattr(made, name, _first_call(made, name))
    if not frozen and not hashed:
        made.__hash__ = None
    if frozen:
        made.__setattr__, made.__delattr__ = _refusals(made)
        if slots:  # Whose state copy and pickle cannot set otherwise.
            for method in (_getstate, _setstate):
                name = f"_{method.__name__}__"
                if name not in own:
                    setattr(made, name, method)
    return made


def _first_call(cls: type, name: str) -> Callable[..., Any]:
    """A function that has the library's made in its place, and calls that."""

    def method(self: object, *args: Any, **options: Any) -> Any:
        _complete(cls, name)
        return getattr(cls, name)(self, *args, **options)

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    return method


def _complete(cls: Any, name: str) -> None:
    """Give a class one of the functions."""
    fields = dataclasses.fields(cls)
    lean = name == "__init__" and all(field.init and not field.kw_only for field in fields)
    function = _init(cls, fields) if lean else _library_function(cls, name, fields)
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    setattr(cls, name, function)


def _init(cls: Any, fields: tuple["dataclasses.Field[Any]", ...]) -> Any:
    """The library's ``__init__``, without the other functions that it would compile with it."""
    frozen = cls.__dataclass_params__.frozen
    scope: dict[str, Any] = {"__set__": object.__setattr__, "__none__": dataclasses.MISSING}
    parameters, lines = ["self"], []
    for field in fields:
        name, default, value = field.name, "", field.name
        if field.default is not dataclasses.MISSING:
            scope[f"__{name}__"], default = field.default, f"=__{name}__"
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"__{name}__"], default = field.default_factory, "=__none__"
            value = f"__{name}__() if {name} is __none__ else {name}"
        parameters.append(f"{name}{default}")
        lines.append(f" __set__(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *lines, " return None"]), scope)
    return scope["__init__"]


def _library_function(cls: Any, name: str, fields: tuple["dataclasses.Field[Any]", ...]) -> Any:
    """A function that the library makes of the same fields."""
    namespace = {"__doc__": ""}
    if hasattr(cls, "__post_init__"):
        namespace["__post_init__"] = cls.__post_init__
    made: dict[str, Any] = {
        "init": name == "__init__",
        "repr": name == "__repr__",
        "eq": name in ("__eq__", "__hash__"),
        "unsafe_hash": name == "__hash__",
        "frozen": name == "__init__" and cls.__dataclass_params__.frozen,
    }
    anew = [(field.name, field.type, _anew(field)) for field in fields]
    twin = dataclasses.make_dataclass(cls.__name__, anew, namespace=namespace, match_args=False, **made)
    return twin.__dict__[name]


def _anew(field: "dataclasses.Field[Any]") -> Any:
    names = ("default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")
    return dataclasses.field(**{name: getattr(field, name) for name in names})


def _refusals(cls: Any) -> tuple[Callable[[Any, str, Any], None], Callable[[Any, str], None]]:
    """What keeps the attributes of a frozen class as they are."""
    names = frozenset(cls.__dataclass_fields__)

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return set_attribute, delete_attribute


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=False):
        object.__setattr__(self, field.name, value)
