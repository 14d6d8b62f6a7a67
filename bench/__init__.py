"""What `make bench` measures: each subject against something comparable, both in the same run."""
