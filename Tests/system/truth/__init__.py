"""The bench of the coaching's truth: clips of known faults, and whether the report sees them (README.md)."""
