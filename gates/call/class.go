package call

import "github.com/gbt-policy/gbt/gates/effect"

// Family is what a tool works with. The zero value is the unknown family.
type Family uint8

// The tool families.
const (
	FamilyUnknown  Family = iota
	FamilyShell           // command lines and sessions of a shell
	FamilyFile            // files by path
	FamilyCode            // code run by an interpreter
	FamilyWeb             // pages, searches, browsers, HTTP
	FamilySQL             // databases
	FamilyMessage         // mail, chat, text messages, posts
	FamilyPayment         // money
	FamilyCalendar        // events and reminders
	FamilyMemory          // the agent's own notes
	FamilyApp             // records of an application: orders, bookings, profiles
	FamilyDevice          // things in a room or a street
	FamilyAgent           // thinking, planning, finishing, asking, delegating
	NumFamilies
)

// ResourceType is the kind of thing a tool touches. The zero value says that
// it touches none, or that nobody knows: Class.Family tells the two apart.
type ResourceType uint8

// The resource types.
const (
	ResourceNone ResourceType = iota
	ResourceFile
	ResourceProcess
	ResourceNetwork
	ResourceDatabase
	ResourceMessage
	ResourceAccount
	ResourceRecord
	ResourceUI
	NumResources
)

// Basis is what a classification rests on, from nothing to a built-in entry.
type Basis uint8

// The bases. A name heuristic is a guess from a word in the name: it is good
// enough to group calls in logs, and a guardrail trusts it least.
const (
	BasisNone Basis = iota
	BasisName
	BasisBuiltin
	BasisSchema // a schema of the policy or the configuration
)

// Class is the coarse classification of a tool by its name alone.
type Class struct {
	Family   Family
	Verb     effect.Verb
	Resource ResourceType
	High     bool // may write, delete, run or send (requirement C4), or is unknown
	Basis    Basis
}

var familyNames = [NumFamilies]string{"unknown", "shell", "file", "code", "web", "sql", "message", "payment", "calendar", "memory", "app", "device", "agent"}

var resourceNames = [NumResources]string{"none", "file", "process", "network", "database", "message", "account", "record", "ui"}

// String returns the family's name in lower case.
func (f Family) String() string { return nameOf(familyNames[:], int(f)) }

// String returns the resource type's name in lower case.
func (r ResourceType) String() string { return nameOf(resourceNames[:], int(r)) }

//go:noinline
func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "invalid"
	}
	return names[i]
}

// Classify returns the class of the named tool: the entry of a known agent where
// there is one, else a guess from the words of the name, else an unknown class,
// which is High. Letter case, namespaces (functions.bash) and the prefixes of MCP
// hosts (mcp__server__tool) do not matter.
func Classify(tool string) Class {
	name := Name(tool)
	if c, ok := builtin(name); ok {
		if fromMCP(tool) {
			c.Basis = BasisName
		}
		return c
	}
	return guess(name, tool)
}

// High says which verbs make a class High. Reading a page sends a request, so
// network reads are High too: a URL carries data out (C4, network sends). Not inlined, for the size of programs.
//
//go:noinline
func High(v effect.Verb, r ResourceType) bool {
	if r == ResourceNetwork {
		return v.Itself().Changes()
	}
	return v.Record().Changes()
}
