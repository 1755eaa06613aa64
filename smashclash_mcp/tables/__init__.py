"""A table is one game being played: seats and keys, turn logic, the house's replies."""

from .database import Database, StoreError
from .journal import Listed
from .profiles import Profile, Profiles
from .registry import Access, Tables
from .table import CallError, Reply, Table

__all__ = [
    "Access",
    "CallError",
    "Database",
    "Listed",
    "Profile",
    "Profiles",
    "Reply",
    "StoreError",
    "Table",
    "Tables",
]
