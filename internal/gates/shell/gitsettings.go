package shell

import "strings"

// TurnOfSettings is what the text of a configuration changes for git where that reads it
// (git-config(1), Syntax): a repository may lie in any directory, so its name says nothing.
func TurnOfSettings(text string) Turn {
	var all Turn
	section := ""
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if rest, ok := cutPrefix(line, "["); ok {
			name, after, _ := cutAt(rest, "]")
			section, line = sectionName(name), strings.TrimSpace(after)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, value, _ := cutAt(line, "=")
		key = section + "." + strings.ToLower(strings.TrimSpace(key))
		switch key {
		case "core.repositoryformatversion", "core.bare", "core.logallrefupdates":
			continue // what git init writes
		}
		t := settingTurn(key, strings.Trim(strings.TrimSpace(value), `"`))
		if strings.HasPrefix(section, "include") {
			t = everyTurn
		}
		all = Turn{Sends: all.Sends || t.Sends, Fetches: all.Fetches || t.Fetches, Programs: all.Programs || t.Programs, Hooks: all.Hooks || t.Hooks}
	}
	return all
}

// sectionName is a section as it stands in a key: remote "origin" is remote.origin.
func sectionName(s string) string {
	name, of, ok := cutAt(s, " ")
	name = strings.ToLower(strings.TrimSpace(name))
	if ok {
		name += "." + strings.Trim(strings.TrimSpace(of), `"`)
	}
	return name
}
