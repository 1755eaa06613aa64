"""A table is one game being played: seats and keys, turn logic, the house's replies."""

from .profiles import Profile, ProfileError, Profiles
from .registry import Access, Tables
from .table import CallError, Reply, Table

__all__ = ["Access", "CallError", "Profile", "ProfileError", "Profiles", "Reply", "Table", "Tables"]
