package main

import (
	"os/exec"

	"github.com/gbt-policy/gbt/internal/hosts/settings"
)

// missingProgram says so where the program of an installed hook can't be started
// here. Its cases would only say over and over that everything is blocked.
func missingProgram(in settings.Installed) string {
	words := in.Argv
	if len(words) == 0 {
		words, _ = settings.Words(in.Command)
	}
	if len(words) == 0 || !in.OrBlock && len(in.Argv) == 0 {
		return "" // its cases show what the host makes of that
	}
	if _, err := exec.LookPath(words[0]); err == nil {
		return ""
	}
	return words[0] + " is missing here, so every call is blocked: put gbt-hook on the path (in a clone of gbt: go install ./cmd/gbt-hook), or run gbt hook uninstall"
}
