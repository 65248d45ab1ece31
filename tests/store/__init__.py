"""Tests of the store: no stored action is ever lost."""
