"""A property computed once, on the first look: `functools.cached_property` without its lock, which costs more here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """Keeps what the method gives in the instance's `__dict__`; for views that are read by one thread."""

    def __init__(self, method: Callable[[Any], T]) -> None:
        self.method = method
        self.__doc__ = method.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[T] | T:
        if instance is None:
            return self
        value = self.method(instance)
        instance.__dict__[self.name] = value
        return value
