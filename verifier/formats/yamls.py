"""YAML maps with their line numbers, read safely: unique names, no aliases or tags, bounded size."""

from __future__ import annotations

import re
from typing import Final

import yaml

from verifier.domain.errors import BadInput
from verifier.formats.files import PathLike, read_bytes, replacing
from verifier.formats.wording import printable, shown

MOST_YAML_BYTES: Final = 256 * 1024
"""Bytes of a file; the shortest names in it take 300 times as much memory, 80 MiB. The shipped layouts have 5,000."""
MOST_DEEP: Final = 32
_OPENING: Final = (
    yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken, yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken,
)  # fmt: skip
_CLOSING: Final = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
LOADER: Final[type[yaml.SafeLoader]] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser, where PyYAML was built with it: a layout is read in a seventh of the time."""
_STEP: Final = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


class YamlDocument:
    """A parsed YAML map. A name in it that is no text is refused where it is converted."""

    def __init__(self, value: dict[str, object], node: yaml.Node) -> None:
        self.value = value
        self._node = node

    def line(self, field: str) -> int:
        """Line (from 1) of a field such as `zones.shoe[2]`, or of the nearest part above it that exists."""
        node = self._node
        line: int = node.start_mark.line
        for name, index in _STEP.findall(field):
            child = _child(node, name, int(index) if index else 0)
            if child is None:
                break
            line, node = child
        return line + 1


def read_yaml(path: PathLike) -> YamlDocument:
    """Read one YAML map. Raises BadInput for anything else."""
    content = read_bytes(path, MOST_YAML_BYTES)
    loader: yaml.SafeLoader | None = None
    try:
        text = content.decode("utf-8")
        _refuse_tokens(path, text)
        loader = LOADER(text)
        node = loader.get_single_node()
        if node is None:
            raise BadInput(path, "the file is empty, expected names with values", "write at least one line")
        _refuse_twice(path, node)
        value = loader.construct_document(node)
    except UnicodeDecodeError as error:
        raise BadInput(path, "the file is not UTF-8 text", "save the file as UTF-8") from error
    except yaml.YAMLError as error:
        raise _malformed(path, error) from error
    except (ValueError, LookupError, OverflowError, RecursionError, TypeError, AttributeError) as error:
        raise BadInput(path, f"a value cannot be read ({printable(str(error))})", "correct the file") from error
    finally:
        if loader is not None:
            loader.dispose()
    if not isinstance(value, dict):
        raise BadInput(path, f"found {shown(value)}, expected names with values", "correct the file", where="line 1")
    return YamlDocument(value, node)


def write_yaml(path: PathLike, value: dict[str, object]) -> None:
    """Write a map, points on one line each."""
    text = yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, default_flow_style=None, width=120)
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


class _Plain(yaml.SafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _refuse_tokens(path: PathLike, text: str) -> None:
    depth = 0
    for token in yaml.scan(text, Loader=LOADER):
        depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        if depth > MOST_DEEP:
            where = f"line {token.start_mark.line + 1}"
            raise BadInput(path, "the value is nested too deeply", "correct the file", where=where)
        if isinstance(token, yaml.AliasToken | yaml.TagToken):
            name = "aliases (*)" if isinstance(token, yaml.AliasToken) else "tags (!)"
            where = f"line {token.start_mark.line + 1}"
            raise BadInput(path, f"{name} are not read", "write the plain value", where=where)


def _refuse_twice(path: PathLike, node: yaml.Node) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            name = str(key.value)
            if name in seen:
                where = f"line {key.start_mark.line + 1}"
                raise BadInput(path, f"the name {printable(name)!r} occurs twice", "remove one", where=where)
            seen.add(name)
            _refuse_twice(path, child)
    elif isinstance(node, yaml.SequenceNode):
        for child in node.value:
            _refuse_twice(path, child)


def _child(node: yaml.Node, name: str, index: int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((key.start_mark.line, child) for key, child in node.value if str(key.value) == name), None)
    if isinstance(node, yaml.SequenceNode) and not name and index < len(node.value):
        child = node.value[index]
        return child.start_mark.line, child
    return None


def _malformed(path: PathLike, error: yaml.YAMLError) -> BadInput:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "it is no YAML text"
    where = f"line {mark.line + 1}" if mark else None
    return BadInput(path, f"the file is no YAML ({printable(str(problem))})", "correct the file", where=where)
