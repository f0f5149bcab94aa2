package main

import (
	"os"
	"path/filepath"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// maxSettings bounds a file of what hosts load: what they keep for a user can be long.
const maxSettings = 16 << 20

// asideOf is gates.State.Aside of a call: the files are read when it asks, and once for each file.
func asideOf(st *gates.State) func(*gates.Context) {
	known := map[string]bool{}
	var started *hosts.Unasked
	return gates.GuardsStarted(func() (files, dirs []string) {
		if started == nil {
			u := hosts.StartedUnasked(st, hosts.Look{Text: settingsText, Names: namesIn, Exists: exists})
			started = &u
		}
		return started.Files, started.Dirs
	}, gates.BesideSettings(func(file string, made bool) bool {
		if made {
			return hosts.Aside(file, made, st, hosts.Look{})
		}
		is, ok := known[file]
		if !ok {
			is = hosts.Aside(file, made, st, hosts.Look{Text: settingsText, Names: namesIn, Exists: exists, Env: os.Getenv, Real: realPath})
			known[file] = is
		}
		return is
	}))
}

// settingsText is all that a file holds; one that is too long, or none, is not read.
func settingsText(path string) (string, bool) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() { // an empty one names nothing
		list, err := os.ReadDir(path)
		return "", err == nil && len(list) == 0
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSettings {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil && len(data) <= maxSettings
}

// realPath is where the links of a path lead; empty where that is nowhere.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(real)
}
