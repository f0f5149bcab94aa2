package effect

// This file is the one table that says how the words for what a call does hang
// together: the verb of a tool, its effects, the change that a macro is made of,
// and the role of an argument. Every layer uses its own word and asks here for
// the others; no other file maps one onto another.

// Verb is what a tool does, by its name or its schema. The zero value is the
// unknown verb.
type Verb uint8

// The verbs.
const (
	VerbUnknown Verb = iota
	VerbRead
	VerbSearch
	VerbNavigate
	VerbThink
	VerbAsk
	VerbFinish
	VerbCreate
	VerbWrite
	VerbDelete
	VerbExecute
	VerbSend
	NumVerbs
)

// Doing is a kind and an operation: an effect without its resource.
type Doing struct {
	Kind Kind
	Op   Op
}

// verbRow is what a verb does.
type verbRow struct {
	name   string
	itself Doing // to what the tool is for: a page for VerbNavigate
	record Doing // to a record of an application
	file   Doing // to a file that is the tool's object
	beside Doing // to a file that is named beside its object, where the tool is only guessed at
	reads  bool  // its name says that it changes nothing
}

var (
	reading   = Doing{Read, OpRead}
	searching = Doing{List, OpSearch}
	modifying = Doing{Write, OpModify}
	removing  = Doing{Delete, OpRemove}
	sending   = Doing{Network, OpSend}
	computed  = Doing{Opaque, OpComputed}
)

var verbTable = [NumVerbs]verbRow{
	VerbUnknown:  {"unknown", Doing{}, Doing{}, computed, reading, false},
	VerbRead:     {"read", searching, searching, reading, reading, true},
	VerbSearch:   {"search", searching, searching, Doing{Read, OpSearch}, reading, true},
	VerbNavigate: {"navigate", Doing{Network, OpFetch}, searching, computed, reading, true},
	VerbThink:    {"think", searching, searching, computed, reading, true},
	VerbAsk:      {"ask", searching, searching, computed, reading, true},
	VerbFinish:   {"finish", searching, searching, computed, reading, true},
	VerbCreate:   {"create", Doing{Write, OpCreate}, Doing{Write, OpCreate}, Doing{Write, OpCreate}, modifying, false},
	VerbWrite:    {"write", modifying, modifying, modifying, modifying, false},
	VerbDelete:   {"delete", removing, removing, removing, removing, false},
	VerbExecute:  {"execute", Doing{Spawn, OpRunUnknown}, Doing{Spawn, OpRunUnknown}, computed, modifying, false},
	VerbSend:     {"send", sending, sending, sending, modifying, false},
}

func (v Verb) row() *verbRow {
	if v < NumVerbs {
		return &verbTable[v]
	}
	return &verbTable[VerbUnknown]
}

// String returns the verb's name in lower case.
func (v Verb) String() string {
	if v < NumVerbs {
		return verbTable[v].name
	}
	return "invalid"
}

// ParseVerb returns the verb with a name. The unknown verb has none that can be
// written.
func ParseVerb(name string) (Verb, bool) {
	for v := VerbUnknown + 1; v < NumVerbs; v++ {
		if verbTable[v].name == name {
			return v, true
		}
	}
	return VerbUnknown, false
}

// VerbNames are the names that ParseVerb reads.
func VerbNames() []string {
	var out []string
	for v := VerbUnknown + 1; v < NumVerbs; v++ {
		out = append(out, verbTable[v].name)
	}
	return out
}

// Itself is what the verb does to what its tool is for.
func (v Verb) Itself() Doing { return v.row().itself }

// Record is what the verb does to a record of an application.
func (v Verb) Record() Doing { return v.row().record }

// File is what the verb does to a file that is its tool's object.
func (v Verb) File() Doing { return v.row().file }

// Beside is what a tool of the verb that is only guessed at may do to a file that
// one of its arguments names.
func (v Verb) Beside() Doing { return v.row().beside }

// Reads says whether the verb by itself changes nothing.
func (v Verb) Reads() bool { return v.row().reads }

// Delta is the coarse change that a verb makes.
func (v Verb) Delta() Delta { return v.row().itself.Delta() }

// Changes says whether effects of this kind are high-risk whatever they touch
// (requirement C4): all but reads and lists.
func (d Doing) Changes() bool { return d.Kind != Read && d.Kind != List }
