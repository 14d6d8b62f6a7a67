"""The strict subset of s-expressions that the wire and the store share: lists, keywords, strings, integers, t and nil.

`docs/wire.md` defines it. Writing is ours; reading goes through sexpdata after the text has been shown to be inside the subset.
"""
