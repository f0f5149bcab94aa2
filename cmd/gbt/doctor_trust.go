package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// codexTrust says so if Codex was never told to trust the hooks of a file: it
// runs none of them before, and says nothing. Codex notes trust in its
// config.toml as [hooks.state."FILE:EVENT:GROUP:INDEX"] with a trusted_hash
// (seen in 0.169.0). Whether the hook is still the one that was trusted, only
// Codex knows.
func codexTrust(home, file string) string {
	config := filepath.Join(cmp.Or(os.Getenv("CODEX_HOME"), filepath.Join(home, ".codex")), "config.toml")
	text, err := os.ReadFile(config)
	if err == nil && strings.Contains(string(text), `[hooks.state."`+file+":pre_tool_use:") {
		return ""
	}
	return fmt.Sprintf("Codex runs no hook of %s before you trust it, and %s notes no trust: start codex there and choose /hooks", file, config)
}
