package programs

// A trait is a fact about a program that the engine acts on and that no role
// says. Use is what its constant is called.
type trait struct{ text, use string }

// traitWords are all traits; FORMAT.md says what they mean. Their order is that
// of the bits in the table.
var traitWords = []trait{
	{"tasks", "traitTasks"},
	{"holds-input", "traitHoldsInput"},
	{"passes-input", "traitPassesInput"},
	{"copies-input", "traitCopiesInput"},
	{"endless-output", "traitEndlessOutput"},
	{"sized-output", "traitSizedOutput"},
	{"allocates", "traitAllocates"},
	{"sends-files", "traitSendsFiles"},
	{"runs-packages", "traitRunsPackages"},
	{"takes-addresses", "traitTakesAddresses"},
	{"plus-commands", "traitPlusCommands"},
	{"toolchain-first", "traitToolchainFirst"},
	{"options-answer", "traitOptionsAnswer"},
	{"shows-state", "traitShowsState"},
	{"client", "traitClient"},
	{"of-repository", "traitOfRepository"},
	{"of-registry", "traitOfRegistry"},
	{"of-host", "traitOfHost"},
	{"alone-takes-words", "traitAloneTakesWords"},
	{"slash-switches", "traitSlashSwitches"},
	{"of-environment", "traitOfEnvironment"},
	{"passes-arguments", "traitPassesArguments"},
	{"of-account", "traitOfAccount"},
	{"own-columns", "traitOwnColumns"},
	{"named-fields", "traitNamedFields"},
	{"both-spellings", "traitBothSpellings"},
	{"refuses-unknown", "traitRefusesUnknown"},
	{"named-environment", "traitNamedEnvironment"},
	{"script-arguments", "traitScriptArguments"},
}
