// Package hosts asks which host it has.
package hosts

const codex = "codex"

// Title names a host.
func Title(name string) string {
	switch name {
	case "cursor", "gemini":
		return "one arm"
	case codex:
		return "by its constant"
	case "other":
		return "no host"
	}
	if name != "opencode" {
		return map[string]string{"openhands": "a key"}[name]
	}
	return ""
}
