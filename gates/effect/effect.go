// Package effect holds what a call does: typed operations on canonical
// resources, and the deterministic code that makes resources canonical.
//
// An Effect is plain data. Its zero value is opaque, lies in an unknown zone
// and cannot be undone, so an effect that somebody forgot to fill in is judged
// as the worst one. Package gates aliases these types; other packages use them
// from there.
//
// What belongs here: the words for what a call does (kinds, verbs, roles,
// changes, zones) in tables that hang together, and what a path or an address
// says by itself. What never does: names that are sensitive (internal/gates/names),
// what a program or a tool does (packages shell and call), and whether that is
// allowed (package gates).
package effect

import "strings"

// Kind is the primitive type of an effect (requirement C1).
type Kind uint8

// The kinds. Opaque is what could not be resolved: never harmless.
const (
	Opaque  Kind = iota
	Read         // contents leave a resource
	List         // names or attributes are read, not contents
	Write        // a resource is created or changed
	Delete       // a resource is removed or made unreadable
	Spawn        // a program or code runs
	Network      // a connection is opened or waited for
	Setting      // the state of the machine or of an account changes
	Signal       // a running process is signalled
	NumKinds
)

var kindNames = [NumKinds]string{"opaque", "read", "list", "write", "delete", "spawn", "network", "setting", "signal"}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if k < NumKinds {
		return kindNames[k]
	}
	return "invalid"
}

// Op is the coarse operation within a kind.
type Op uint8

// The operations.
const (
	OpNone Op = iota
	// Opaque.
	OpUnparsed // the text could not be parsed or exceeds a limit
	OpComputed // a value that decides what happens is computed at run time
	// Read and List.
	OpRead
	OpList
	OpSearch
	OpStat
	OpEnv // an environment variable or the whole environment
	// Write.
	OpCreate
	OpModify
	OpChmod
	OpChown
	OpLink
	OpMove
	// Delete.
	OpRemove
	OpRemoveTree
	OpWipe
	// Spawn.
	OpRun         // a known program
	OpBuild       // a known builder or test runner, which runs workspace code
	OpRunFile     // a file as a program or script
	OpRunCode     // inline code that could be resolved
	OpRunUnknown  // a program that is in no table
	OpInteractive // a shell, editor or prompt that waits for input
	OpEscape      // a tool's feature that runs programs or loads code
	// Network.
	OpFetch
	OpSend
	OpListen
	OpConnect
	OpProbe // name lookups, pings, scans
	// Setting.
	OpPrivilege
	OpAccount
	OpService
	OpSchedule
	OpPersist
	OpMount
	OpInstall
	OpSystem
	OpContainer
	// Signal.
	OpKill
	NumOps
)

var opNames = [NumOps]string{
	"none", "unparsed", "computed", "read", "list", "search", "stat", "env",
	"create", "modify", "chmod", "chown", "link", "move",
	"remove", "remove_tree", "wipe",
	"run", "build", "run_file", "run_code", "run_unknown", "interactive", "escape",
	"fetch", "send", "listen", "connect", "probe",
	"privilege", "account", "service", "schedule", "persist", "mount", "install", "system", "container",
	"kill",
}

// String returns the operation's name in lower case.
func (o Op) String() string {
	if o < NumOps {
		return opNames[o]
	}
	return "invalid"
}

// Zone is where a file lies, as seen from the workspace.
type Zone uint8

// The zones. ZoneUnknown is a path that is computed or that the analysis does
// not know; ZoneCaller is one that the caller's environment supplies ($FILE).
const (
	ZoneUnknown Zone = iota
	ZoneCaller
	ZoneWorkspace
	ZoneTemp
	ZoneStream // /dev/null, standard streams, sources of zeros and random bytes
	ZonePublic // installed programs, libraries, headers and their documents
	ZoneHome
	ZoneSystem
	ZoneOutside
	ZoneDevice // raw disks and other devices
	ZoneRecord // a record or message of an application, not a file
	ZoneKept   // what the agent's host and package managers keep in a home for reading
	NumZones
)

var zoneNames = [NumZones]string{"unknown", "caller", "workspace", "temp", "stream", "public", "home", "system", "outside", "device", "record", "kept"}

// String returns the zone's name in lower case.
func (z Zone) String() string {
	if z < NumZones {
		return zoneNames[z]
	}
	return "invalid"
}

// Tier is how far an effect can be undone (requirement Z1). The zero value is
// the worst.
type Tier uint8

// The reversibility tiers.
const (
	TierIrreversible Tier = iota // externally-irreversible
	TierCompensable              // runtime-compensable
	TierReversible               // local-reversible
)

// String returns the tier's name as requirement Z1 has it.
func (t Tier) String() string {
	switch t {
	case TierReversible:
		return "local-reversible"
	case TierCompensable:
		return "runtime-compensable"
	}
	return "externally-irreversible"
}

// Net is where a network effect goes (net_dest of requirement C1).
type Net struct {
	Scheme string
	Domain string // host name in ASCII and lower case, empty for an address
	IP     string
	Port   uint16 // explicit, or the scheme's default; 0 if unknown
}

// Payload describes what a payload-bearing effect carries, without carrying
// it (payload_meta of requirement C1). Known is false if the size is unknown.
type Payload struct {
	Known bool
	Len   int
	MIME  string
	Hash  string // sha256, lower-case hex, empty if the payload is not known
}

// MaxArgv bounds Effect.Argv.
const MaxArgv = 512

// Effect is one operation of a call. Effects are comparable.
type Effect struct {
	Kind      Kind
	Op        Op
	Zone      Zone
	Sensitive bool // the resource holds secrets or private records; of a fetch: it brings them in
	Protected bool // the resource must not be changed without review
	Glob      bool // Resource is a pattern that stands for several
	Deferred  bool // happens later: an alias, a trap, a function nobody calls
	Named     bool // of a network effect: goes to a remote that the workspace's own configuration names, or reads through a server that the user set up; of a write: the new work tree that git makes of the repository beside it; of a read: a file that the program looks for by itself; of a file that is run: one that the user's own shells run when they start
	Loses     bool // of a network effect: takes away what is there, a forced push for example
	Resource  string
	Deed      string // of a network effect: what the program does there, "push" or "pr comment"; "update" of an installation: new versions of what the project in Resource depends on, "resolve": versions that no lock file holds
	Ref       string // of a push: the branches and tags that it changes; of an update: the dependencies, where it is not all of them; of statements for SQLite: the database's path, where they can change no other file
	Program   string // base name of the program that does it (proc_meta.exec)
	Argv      string // of a spawn: its words, shell-quoted, cut at MaxArgv (proc_meta.argv)
	Parent    string // of a spawn: the program that starts it, empty for the shell (proc_meta.parent)
	Net       Net
	Payload   Payload
}

// Run is one program that a call runs, after wrappers, aliases and variables have been
// resolved: "timeout 5 git push" runs timeout, and git. It says what the effects alone
// do not: with which words.
type Run struct {
	Words []string // with marks for parts that only the run time knows
	Tool  string   // its row in the table of programs, "git push"; empty if it has none
	Names []string // of a tool in the table: the words that are no option and no option's value
	Cwd   string
	// Unlisted are its options and subcommands that its row does not have: nobody knows what
	// they do.
	Unlisted []string
	// Telling are its options, each with its value, that its row says may change what is run, loaded,
	// read or sent: a yes to a run without one is none to a run with it.
	Telling []string
	Given   bool     // variables were set for it, or for all that follows, by the call itself
	Sets    []string // NAME=value of all variables that the call sets for it, sorted; empty where one is not known, or steers what is run or loaded
	Values  []string // NAME=value of the variables that the call sets for it, as far as they are known
	Whole   bool     // Values are all that the call gives another value than they had before, with nothing that steers what is run
	Effects []int    // indices of the effects that are its own, ascending

	// Background says that it goes on while the rest of the line runs (bash(1), Lists).
	Background bool

	// Contained says that it runs in a container: its processes have other names and numbers.
	Contained bool

	// Blind says that something gets into what it compiles that the sources do not show: an option
	// that loads, links or renames, or a file that nobody read.
	Blind bool

	// Earlier are files that it may run as they were before the call: the call writes them, where
	// nobody can say that it comes to it.
	Earlier []string
}

// ShellOfServer begins the resource of the spawn that a command line or code has which an
// MCP server runs, maybe on another machine; the server's name follows.
const ShellOfServer = "shell of the MCP server "

// Updates says whether it brings in versions of dependencies that the project has not chosen.
func (e *Effect) Updates() bool { return e.Deed == "update" || e.Deed == "resolve" }

// Elsewhere is the MCP server of such a spawn. ok is false for all other effects.
func (e *Effect) Elsewhere() (server string, ok bool) {
	if e.Kind != Spawn || e.Op != OpRunUnknown {
		return "", false
	}
	return strings.CutPrefix(e.Resource, ShellOfServer)
}

// High says whether the effect is high-risk (requirement C4).
func (e *Effect) High() bool {
	switch e.Kind {
	case Read:
		return e.Sensitive
	case List:
		return false
	}
	return true
}

// Tier returns how far the effect can be undone. Only what a workspace
// snapshot covers is reversible; what has left the machine, ended a process or
// removed a file outside the snapshot is not.
func (e *Effect) Tier() Tier {
	switch e.Kind {
	case Read, List:
		return TierReversible
	case Write:
		return e.writeTier()
	case Delete:
		if e.Zone == ZoneWorkspace || e.Zone == ZoneTemp {
			return TierReversible
		}
	case Spawn:
		return e.spawnTier()
	case Setting:
		return TierCompensable
	}
	return TierIrreversible
}

func (e *Effect) writeTier() Tier {
	switch e.Zone {
	case ZoneWorkspace, ZoneTemp, ZoneStream:
		return TierReversible
	case ZoneDevice, ZoneUnknown:
		return TierIrreversible
	}
	return TierCompensable
}

func (e *Effect) spawnTier() Tier {
	switch e.Op {
	case OpRun, OpBuild, OpRunCode:
		return TierReversible
	case OpRunFile:
		if e.Zone == ZoneWorkspace {
			return TierCompensable
		}
	}
	return TierIrreversible
}

// Cell is code that a call hands to an interpreter other than a shell.
type Cell struct {
	Lang  string // the interpreter's name, without a version: python, node
	Text  string // the code, if Known
	Known bool   // false where only the run time knows it, or nobody read it
}

// Written is a file that a call writes, as far as it is known.
type Written struct {
	Path  string // absolute
	Text  string // its contents, if Known
	Known bool
	Net   bool   // its contents come over the network
	Part  bool   // Text is only a part of the file
	Old   string // what Text stands for in a file that is edited
	Made  bool   // Text is all of it as long as nobody changed what the session wrote before

	// Perhaps says that it stands in a part of the line that may not run.
	Perhaps bool
}

// Made is a file that the session wrote, with its contents if they are known. They
// may have changed since, so nothing is allowed because of them.
type Made struct {
	Path  string
	Text  string
	Known bool
}
