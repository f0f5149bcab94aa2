package programs

// A word of the format and the letter that it has in the compiled tables. Use
// is what the generated constant of the letter is called.
type word struct {
	text   string
	letter byte
	use    string
}

// doesWords are what every run of a program does, and what a flag may add.
var doesWords = []word{
	{"runs", 'p', "doesRun"},
	{"builds", 'b', "doesBuild"},
	{"interactive", 'I', "doesInteract"},
	{"review", 'X', "doesReview"},
	{"sends", 'N', "doesSend"},
	{"fetches", 'F', "doesFetch"},
	{"listens", 'L', "doesListen"},
	{"probes", 'P', "doesProbe"},
	{"signals", 'K', "doesSignal"},
	{"installs", 'T', "doesInstall"},
	{"updates", 'Y', "doesUpdate"},
	{"privilege", 'G', "doesPrivilege"},
	{"accounts", 'U', "doesAccount"},
	{"services", 'V', "doesService"},
	{"schedules", 'H', "doesSchedule"},
	{"mounts", 'M', "doesMount"},
	{"containers", 'D', "doesContainer"},
	{"system", 'S', "doesSystem"},
}

// roleWords are roles of operands and of options' values.
var roleWords = []word{
	{"nothing", 'n', "roleNothing"},
	{"reads", 'r', "roleReads"},
	{"lists", 't', "roleLists"},
	{"stats", 'l', "roleStats"},
	{"searches", 's', "roleSearches"},
	{"selects", '&', "roleSelects"},
	{"mode", '_', "roleMode"},
	{"creates", 'w', "roleCreates"},
	{"changes", 'm', "roleChanges"},
	{"edits", 'M', "roleEdits"},
	{"removes", 'd', "roleRemoves"},
	{"removes-tree", 'D', "roleRemovesTree"},
	{"command-line", 'x', "roleCommandLine"},
	{"command", 'a', "roleCommand"},
	{"command-words", 'A', "roleCommandWords"},
	{"own-words", 'E', "roleOwnWords"},
	{"own-line", '(', "roleOwnLine"},
	{"parameters", 'F', "roleParameters"},
	{"program", 'H', "roleProgram"},
	{"script", 'B', "roleScript"},
	{"settings", 'c', "roleSettings"},
	{"setting", 'j', "roleSetting"},
	{"review", 'o', "roleReview"},
	{"fetches", 'u', "roleFetches"},
	{"sends-to", 'U', "roleSendsTo"},
	{"chain", '?', "roleChain"},
	{"connects", 'h', "roleConnects"},
	{"scalars", ':', "roleScalars"},
	{"probes", 'p', "roleProbes"},
	{"method", '#', "roleMethod"},
	{"sends", 'N', "roleSends"},
	{"data", '@', "roleData"},
	{"data-urlencoded", '=', "roleDataURLEncoded"},
	{"form-field", '%', "roleFormField"},
	{"upload", '<', "roleUpload"},
	{"header", '^', "roleHeader"},
	{"cookies", '~', "roleCookies"},
	{"document", 'g', "roleDocument"},
	{"directory", 'C', "roleDirectory"},
	{"expression", 'e', "roleExpression"},
	{"expression-file", 'f', "roleExpressionFile"},
	{"sql", 'z', "roleSQL"},
	{"psql", '9', "rolePsql"},
	{"sqlite", '8', "roleSqlite"},
	{"server-command", '7', "roleServerCommand"},
	{"resource", '6', "roleResource"},
	{"jq", '5', "roleJq"},
	{"yq", '4', "roleYq"},
	{"sbt", '3', "roleSbt"},
	{"task", 'Z', "roleTask"},
	{"cmake-setting", '2', "roleCMakeSetting"},
	{"package", '1', "rolePackage"},
	{"plugin", '0', "rolePlugin"},
	{"name", 'i', "roleName"},
	{"versioned", 'V', "roleVersioned"},
	{"assignment", '|', "roleAssignment"},
	{"plain-file", ';', "rolePlainFile"},
	{"plain-output", '>', "rolePlainOutput"},
	{"amount", '*', "roleAmount"},
	{"key", '+', "roleKey"},
	{"database", 'b', "roleDatabase"},
	{"template", 'y', "roleTemplate"},
	{"variable", 'v', "roleVariable"},
	{"process", 'k', "roleProcess"},
	{"dry-run", 'q', "roleDryRun"},
	{"system", 'S', "roleSystem"},
	{"repository", 'O', "roleRepository"},
	{"remote", 'Q', "roleRemote"},
	{"account", 'R', "roleAccount"},
	{"plain", 'T', "rolePlain"},
	{"lookup", 'L', "roleLookup"},
	{"opens", 'Y', "roleOpens"},
	{"shown", 'G', "roleShown"},
	{"input", 'I', "roleInput"},
	{"labelled-output", 'P', "roleLabelledOutput"},
	{"filtergraph", 'W', "roleFiltergraph"},
	{"duckdb", 'J', "roleDuckdb"},
	{"mongo", 'K', "roleMongo"},
	{"listens-at", 'X', "roleListensAt"},
	{"request", '/', "roleRequest"},
	{"nix", ')', "roleNix"},
	{"nix-expression", ']', "roleNixExpression"},
	{"env-file", '{', "roleEnvFile"},
	{"format", '}', "roleFormat"},
	{"environment", ',', "roleEnvironment"},
	{"sql-template", '-', "roleSQLTemplate"},
	{"updates", '[', "roleUpdates"},
	{"device", '"', "roleDevice"},
	{"connection", '$', "roleConnection"},
	{"write-out", '.', "roleWriteOut"},
	{"addresses", '\'', "roleAddresses"},
	{"tells", '`', "roleTells"},
	{"merge-strategy", '\\', "roleMergeStrategy"},
}

// flagWords are what a flag adds, beside the words of doesWords and "review".
var flagWords = []word{
	{"in-place", 'i', "flagInPlace"},
	{"removes-operands", 'd', "flagRemovesOperands"},
	{"dry-run", 'q', "flagDryRun"},
	{"informs", 'h', "flagInforms"},
	{"informs-alone", 'a', "flagInformsAlone"},
	{"expression-given", 'E', "flagExpressionGiven"},
	{"recursive", 'R', "flagRecursive"},
	{"runs-operands", 'z', "flagRunsOperands"},
	{"review", 'o', "flagReview"},
	{"names-only", 'l', "flagNamesOnly"},
	{"lists-files", 'f', "flagListsFiles"},
	{"tells", 't', "flagTells"},
}

// outputWords are what the output of a program may hold.
var outputWords = []word{
	{"anything", 0, "outAnything"},
	{"value", 'v', "outValue"},
	{"names", 'l', "outNames"},
	{"lines", 's', "outLines"},
}

func letterOf(words []word, text string) (byte, bool) {
	for _, w := range words {
		if w.text == text {
			return w.letter, true
		}
	}
	return 0, false
}

// actsWords are the roles with which a word of the line can run, load, send or
// write something. A program that has one asks about options that it does not list.
var actsWords = []string{
	"creates", "changes", "edits", "removes", "removes-tree", "command-line", "command", "command-words", "own-words", "own-line", "parameters", "program", "script", "settings", "setting", "review",
	"sends-to", "chain", "sends", "data", "data-urlencoded", "form-field", "upload", "method", "sql", "psql", "sqlite", "server-command", "sbt", "cmake-setting", "package", "plugin", "assignment",
	"plain-file", "resource", "plain-output", "in-place", "removes-operands", "opens", "shown", "labelled-output", "filtergraph", "duckdb", "mongo", "plain", "request", "runs-operands", "format", "scalars", "environment", "sql-template", "device", "connection", "write-out",
}
