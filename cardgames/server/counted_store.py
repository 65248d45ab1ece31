"""The store for a guest's process, which counts the identities and tables that the guest makes."""

from collections.abc import Callable
from typing import Any

from cardgames.store import JoinRefused, Store
from cardgames.store.people import Person


class CountedStore(Store):
    """A store in which a guest makes no more identities and tables than the quotas of the guest's address allow."""

    def limit(self, quotas: dict[str, int], report: Callable[[str], object]) -> None:
        """Allow so many ``identities`` and ``matches`` from now on. ``report`` is called with the kind of each one."""
        self._quotas = quotas
        self._report = report

    def register(self, *args: Any, **kwargs: Any) -> Person | None:
        """Register a new person as :meth:`Store.register` does. Raises :class:`JoinRefused` if the quota is reached."""
        if not self._quotas["identities"]:
            raise JoinRefused("enough_today")
        if person := super().register(*args, **kwargs):
            self._count("identities")
        return person

    def open_table(self, *args: Any, **kwargs: Any) -> int:
        """Create a match as :meth:`Store.open_table` does. Raises :class:`JoinRefused` also if the quota is reached."""
        if not self._quotas["matches"]:
            raise JoinRefused("enough_today")
        match = super().open_table(*args, **kwargs)
        self._count("matches")
        return match

    def _count(self, kind: str) -> None:
        self._quotas[kind] -= 1
        self._report(kind)
