"""Reads which options programs have out of their own manuals.

sources finds and opens a manual, page renders one, options, completions and
commands read it, skeleton writes a program's file and check compares one with
its manual. Nothing here decides what an option does: a person does.
"""
