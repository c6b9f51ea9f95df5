"""The gaming floor: which table a recording is of, by what it is judged, and tables as YAML files."""
