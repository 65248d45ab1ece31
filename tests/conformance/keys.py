"""The message keys that the engine can utter, read off its source: every key is written there as a string."""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cardgames.engine

ENGINE = Path(cardgames.engine.__file__).parent

SPOKEN = {"Event": "event", "Reason": "reason", "InvalidRules": "reason", "Action": "action", "Chance": "action"}
"""What is constructed with a key as its first argument, and what messages are found under for it."""


class Keys(NamedTuple):
    """The keys of a module as ``event.KEY``, ``reason.KEY``, ``why.KEY`` and ``action.KIND``."""

    found: dict[str, frozenset[str] | None]
    """The names of the arguments that a message may count on; ``None`` where they are not written at once."""
    hidden: tuple[str, ...]
    """``file:line`` of events and reasons whose keys cannot be read off the source."""


class _Module:
    """A module whose keys are looked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.names = {
            target.id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }

    def above(self, node: ast.AST) -> list[ast.AST]:
        found = []
        while node in self.parents:
            node = self.parents[node]
            found.append(node)
        return found

    def texts(self, node: ast.expr, modules: "tuple[_Module, ...]", depth: int = 0) -> set[str] | None:
        """Every string that the expression may be; ``None`` if that cannot be seen."""
        every: list[set[str] | None]
        if depth > 5:
            return None
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else None
        if isinstance(node, ast.IfExp):
            every = [self.texts(part, modules, depth + 1) for part in (node.body, node.orelse)]
        elif isinstance(node, (ast.BoolOp, ast.Dict)):
            every = [self.texts(part, modules, depth + 1) for part in node.values]
        elif isinstance(node, ast.Tuple | ast.List):
            every = [self.texts(part, modules, depth + 1) for part in node.elts]
        elif isinstance(node, ast.Subscript):
            return self.texts(node.value, modules, depth + 1)
        elif isinstance(node, ast.Name):
            return self._named(node, modules, depth)
        else:
            return None
        if None in every:
            return None
        return {text for some in every if some for text in some}

    def _named(self, node: ast.Name, modules: "tuple[_Module, ...]", depth: int) -> set[str] | None:
        """What a name stands for: a parameter, a local, what a loop runs over, or a constant of the module."""
        found: set[str] = set()
        for scope in self.above(node):
            if isinstance(scope, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                for loop in scope.generators:
                    if isinstance(loop.target, ast.Name) and loop.target.id == node.id:
                        return self.texts(loop.iter, modules, depth + 1)
            if isinstance(scope, ast.For) and isinstance(scope.target, ast.Name) and scope.target.id == node.id:
                return self.texts(scope.iter, modules, depth + 1)
            if not isinstance(scope, ast.FunctionDef):
                continue
            names = [arg.arg for arg in scope.args.posonlyargs + scope.args.args]
            if node.id in names:
                return self._argument(scope, names.index(node.id), node.id, modules, depth)
            values = [
                part.value
                for part in ast.walk(scope)
                if isinstance(part, ast.Assign)
                and any(isinstance(target, ast.Name) and target.id == node.id for target in part.targets)
            ]
            for value in values:
                some = self.texts(value, modules, depth + 1)
                if some is None:
                    return None
                found |= some
            if values:
                return found
        return self.texts(self.names[node.id], modules, depth + 1) if node.id in self.names else None

    def _argument(
        self, function: ast.FunctionDef, place: int, name: str, modules: "tuple[_Module, ...]", depth: int
    ) -> set[str] | None:
        """What callers, wherever in the engine, pass for a parameter."""
        called = function.name
        parent = self.parents[function]
        if isinstance(parent, ast.ClassDef):
            place -= 1
            called = parent.name if called == "__init__" else called
        found: set[str] = set()
        for module in modules:
            for node in ast.walk(module.tree):
                if not isinstance(node, ast.Call) or _name(node.func) != called:
                    continue
                passed = [keyword.value for keyword in node.keywords if keyword.arg == name]
                passed += node.args[place : place + 1]
                some = module.texts(passed[0], modules, depth + 1) if passed else set()
                if some is None:
                    return None
                found |= some
        return found

    def keys(self, modules: "tuple[_Module, ...]") -> Keys:
        found: dict[str, frozenset[str] | None] = {}
        hidden = []
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call) or _name(node.func) not in SPOKEN:
                continue
            name = _name(node.func)
            what = SPOKEN[name]
            if name == "Reason" and any(
                isinstance(scope, ast.Call) and _name(scope.func) == "Outcome" for scope in self.above(node)
            ):
                what = "why"
            first = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg in ("key", "kind"))]
            texts = self.texts(first[0], modules) if first else None
            if texts is None and what != "action":  # kinds are met in play as well
                hidden.append(f"{self.path.name}:{node.lineno}")
            for text in texts or ():
                key = f"{what}.{text}"
                args = _args(node)
                known = found.get(key, args)
                found[key] = None if known is None or args is None else known & args
        return Keys(found, tuple(hidden))


def _args(node: ast.Call) -> frozenset[str] | None:
    """The names of a message's arguments, where they are written with it."""
    if _name(node.func) == "InvalidRules":
        return frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
    written = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "args")]
    if not written:
        return frozenset()
    if not isinstance(written[0], ast.Dict):
        return None
    names = [key.value for key in written[0].keys if isinstance(key, ast.Constant)]
    return frozenset(map(str, names)) if len(names) == len(written[0].keys) else None


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@cache
def engine_keys() -> dict[str, Keys]:
    """The keys of every module of the engine, by its name."""
    modules = tuple(_Module(path) for path in sorted(ENGINE.glob("*.py")))
    return {module.path.stem: module.keys(modules) for module in modules}
