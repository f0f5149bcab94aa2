package shell

import "strings"

// runsTasks says whether a builder's operands are names of tasks or scripts of
// the workspace, and not of files, packages or tests.
func runsTasks(tool string) bool {
	switch tool {
	case "ant", "bun run", "gradle", "gradlew", "grunt", "gulp", "invoke", "just", "make", "mvn", "mvnw", "npm run", "npm run-script", "nx", "pnpm run", "poe",
		"rake", "rebar3", "sbt", "task", "turbo run", "yarn run":
		return true
	}
	return false
}

// task judges the name of a task: one that says that it publishes, deploys or
// empties a database reaches beyond the workspace, whoever wrote it.
func (r *toolRun) task(word string) {
	if outward(word) {
		r.m.escape(r.t.name + " " + word)
	}
}

func outward(word string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(word), func(c rune) bool { return c == ':' || c == '-' || c == '.' || c == '_' }) {
		if strings.HasPrefix(part, "publish") && part != "publishtomavenlocal" {
			return true
		}
		switch part {
		case "deploy", "hex":
			return true
		case "drop", "reset", "purge", "truncate":
			if strings.HasPrefix(word, "db") {
				return true
			}
		}
	}
	return false
}
