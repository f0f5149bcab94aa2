package shell

import "strings"

// GitStarts are the commands that a configuration of git names as programs to start for work in the
// repository, and the directory of its hooks, empty for the usual one (git-config(1)).
func GitStarts(text string) (commands []string, hooks string) {
	section := ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			header, rest, _ := cutAt(line[1:], "]")
			name, sub, _ := cutAt(header, " ")
			section, line = strings.ToLower(name), strings.TrimSpace(rest)
			if sub = strings.Trim(strings.TrimSpace(sub), `"`); sub != "" {
				section += "." + sub
			}
		}
		key, value, ok := cutAt(line, "=")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		key = section + "." + strings.TrimSpace(key)
		value = strings.TrimSpace(value)
		if n := len(value); n > 1 && value[0] == '"' && value[n-1] == '"' {
			value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : n-1])
		}
		switch low := strings.ToLower(key); {
		case low == "core.hookspath":
			hooks = value
		case hasPrefixOf(programKeys[:], low) && !tameValue(value):
			commands = append(commands, trimPrefix(value, "!"))
		}
	}
	return commands, hooks
}
