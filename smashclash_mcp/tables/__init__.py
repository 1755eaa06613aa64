"""A table is one game being played: seats and keys, turn logic, the house's replies."""

from .database import Database, StoreError
from .journal import Listed, Status
from .profiles import Profile, Profiles
from .registry import Access, Keys, Tables
from .table import CallError, Limits, Reply, Table

__all__ = [
    "Access",
    "CallError",
    "Database",
    "Keys",
    "Limits",
    "Listed",
    "Profile",
    "Profiles",
    "Reply",
    "Status",
    "StoreError",
    "Table",
    "Tables",
]
