package call

import "strings"

// actionPhrases word the actions of shells and coding agents for people and for
// executors. An action with an object ("read:email") words itself.
var actionPhrases = map[string]string{
	"archive": "pack or unpack an archive", "browse": "open a web page", "build": "build the project",
	"cd": "change the working directory", "chat": "write to a person", "crypt": "encode, hash or encrypt data",
	"db": "work with a database", "debug": "debug a program", "delegate": "hand a part to another agent",
	"delete": "delete files", "edit": "create or edit a file", "finish": "finish and hand in the result",
	"input": "type into a running program", "kill": "stop a process", "list": "list files and directories",
	"make": "create files or directories", "move": "move or rename files", "net": "fetch something from the network",
	"noop": "set up the shell or print a value", "perm": "change file permissions", "pkg": "install or manage packages",
	"proc": "look at processes and ports", "remote": "send data to another machine", "review": "look at the version history",
	"run": "run a program or script", "search": "search files for text or names", "service": "manage services or containers",
	"sql:delete": "delete from the database", "sql:describe": "describe a table", "sql:other": "run a database statement",
	"sql:select": "query the database", "sql:show": "list databases or tables", "sql:write": "change the database",
	"test": "run the tests", "text": "transform text", "user": "manage users", "vcs": "commit or change branches",
	"view": "read a file", "who": "look at the user and the environment",
}

// Phrase words an action key: "read:email" is "read email".
func Phrase(key string) string {
	if p, ok := actionPhrases[key]; ok {
		return p
	}
	return strings.NewReplacer(":", " ", "_", " ", "-", " ").Replace(key)
}
