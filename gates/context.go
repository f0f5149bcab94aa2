package gates

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Aliases, so that users of package gates need not import gates/effect.
type (
	Effect = effect.Effect
	Link   = effect.Link
	Made   = effect.Made
	Kept   = effect.Kept
)

// Names of package call, so that users of package gates need not import it to ask
// for a decision.
type (
	Request = call.Request
	Hints   = call.Hints
	Arg     = call.Arg
)

// Sources knows where the values of an episode came from. Find returns an
// origin's name and, for untrusted values, the tool whose result first held the
// value and where in it. Package origin implements it.
type Sources interface {
	Find(value string) (origin, source, form string)
}

// Relations is what Sources may know besides: how a number compares with those of
// the task, and where the addresses in words come from. Both are classes, and the
// values themselves are not kept.
type Relations interface {
	Number(value string) string
	Link(words string) string
}

// State is what the host observes around a call.
type State struct {
	Cwd     string
	Home    string
	Roots   []string // workspace roots
	Links   []Link   // symbolic links the host knows of
	Kept    []Kept   // directories that the agent's host keeps for the session
	Remotes []string // repositories that the configuration of the workspace's own names (effect.Remote)
	UID     int      // -1 if unknown
	GID     int      // -1 if unknown
	History []Record // the last high-risk primitives of the same macro, oldest first; at most HistoryLimit count
	Flow    Flow     // what the episode has read and made so far
	Broke   int      // how often code broke the list of modules (Guardrail.Imports) since some was let through
	Sources Sources  // where values come from; nil where nobody knows

	// Repo reads the repository that a command finds from a directory (effect.Places).
	Repo func(dir string) (repo effect.Repository, ok bool)

	// Consent is what people agreed to before in this session; nil for nothing.
	Consent Consent
	// Own are the files of the guard itself, as patterns of Guardrail.Protected: its program,
	// rules, log and memory. No rule that people wrote answers a question about them.
	Own []string

	// Facts tells a fact by its name, for rules that ask for it; known is false where
	// nobody can say. nil knows none.
	Facts func(name string) (value string, known bool)

	// Conditions are what calls of the policy need (Checker.Context sets them), and Established
	// says which facts results have established; nil where nobody remembers.
	Conditions  *Conditions
	Established Established

	// Exists says whether there is something at an absolute path before the call. Where
	// nobody looks (nil), nothing that a call writes counts as made by the session.
	Exists func(path string) bool
	// Found says what the host sees at an absolute path, for what is deleted and thrown
	// away. Nil sees nothing.
	Found func(path string) Found
	// Holds says whether a directory with all below it, or the files of a pattern, hold one
	// whose name says that there are secrets in it; tracked looks at those alone that git
	// tracks. Nil: nobody looks.
	Holds func(path string, tracked bool) bool
	// Stamp names the state of a file, for as long as nobody writes to it; empty where
	// nobody knows, and with Linked at its end where the file has other names.
	Stamp func(path string) string
	// Text is what a file holds before the call, and Names what lies in a directory, the names
	// of directories with a slash at their end: to follow what code loads that is run. The
	// host bounds both. Nil: nobody looks, and only what the session wrote is followed.
	Text  func(path string) (text string, ok bool)
	Names func(path string) []string
	// Tracked says whether the index of its repository holds a file, also where there is no
	// repository. Nil: nobody looks.
	Tracked func(path string) bool
	// LinksIn are the symbolic links in a directory, with where they lead in the end. Nil: nobody
	// looks.
	LinksIn func(dir string) []Link
	// Ref is what the host sees of a branch or a tag by its full name (refs/heads/x) in the
	// repository that git finds from a directory, or whose own directory that is. The refs in
	// but are left out where it looks what keeps a commit. Nil: nobody looks, and no ref counts
	// as made by the session.
	Ref func(dir, name string, but []string) Ref
	// Free says whether nothing on this machine is known to listen on a TCP port: false where
	// nobody can tell. Nil: nobody looks.
	Free func(port uint16) bool
	// Reached says whether a signal that a run of the call sends reaches something now, and nothing
	// but processes that calls of the session started, as far as the host sees the processes of
	// this machine. Nil: nobody looks, and what is signalled may be anything.
	Reached func(c *Context, signal *Effect, run int) bool
	// Output says whether all that an effect of the call deletes was made by a build or a test run
	// of the session or, in a temporary directory, while calls of the session ran, as far as the
	// host sees when it was. Nil: nobody looks.
	Output func(c *Context, deletion *Effect) bool
	// Discards says what is lost by the run of a call that throws changes away or deletes files,
	// as far as the host sees whose they are. Nil: nobody looks.
	Discards func(c *Context, e *Effect) Discards
	// PlainAsRun says whether the effect of a call that runs a script of the session's does only what
	// would be approved, with the arguments and variables of the run: PlainAsRun of this package. Nil:
	// nobody looks, and such a script is judged by itself.
	PlainAsRun func(g *Guardrail, c *Context, effect int, unvetted []string) bool
	// Aside takes the guard from files of the workspace that lie beside agents' settings and that no agent loads
	// or runs by itself (BesideSettings). Nil: nobody looks, and each such file counts as one that they may load.
	Aside func(c *Context)
	// Constants is what lets a line go by a file of constants that the session wrote and that is as it was left
	// (OwnConstants). Nil: what such files set, nobody knows.
	Constants any
	// StartFiles lets a line run what the user's own shells run when they start: StartFiles of this package.
	// Nil: such a file is any outside the workspace.
	StartFiles any
	// FollowPython puts inline Python together with what it runs of the workspace's own modules, so that
	// these are judged by their source: FollowPython of this package. Nil: nobody does, and they are
	// judged by the names that the code calls.
	FollowPython func(reader any, text string) (linked string)
	// SaysOnly lets through programs that no table has where the words ask them, by the conventions of command
	// lines, for their help or their version and no more: SaysOnly of this package. Nil: each of them asks, but for a
	// single --help or --version.
	SaysOnly func(reader any, of string, words []string) bool
	// ThrowAway says whether an effect of a call, by its index, loses nothing but what lies in a
	// repository that the session made in a directory for temporary files: ThrowAway of this package.
	// Nil: nobody looks.
	ThrowAway func(c *Context, effect int) bool
	// NewDirs adds the directories for temporary files that a call makes where its words say to what
	// the session made (Flow.Own): NewDirs of this package. Nil: nobody looks.
	NewDirs func(c *Context, own []string) []string
	// Compiled reads programs in compiled languages that a call runs: Reader of internal/gates/source.
	// Nil: nobody reads them, and such a program may do anything.
	Compiled effect.Compiled
	// PowerShell reads lines of PowerShell: call.NewPowerShell of the Reader of internal/gates/powershell. Nil: such
	// lines are read as far as the guard itself reads them.
	PowerShell effect.PowerShell
	// OtherClone says whether a read stays in another clone of the workspace's repository: OtherClone of this
	// package. Nil: nobody looks.
	OtherClone func(c *Context, e *Effect) bool
	// Inline reads inline code: InlineReader of this package. Nil: each text of such code that may be a
	// file's name counts as one that it loads, and each word that is called like what decodes as that.
	Inline Inline
	// Naming names some things that a decision asks about so that one yes is for more like them: Naming of
	// package scope. Nil: the names are the usual ones.
	Naming Naming
	// Forges says whether an effect reads a public page of a forge that is shown and goes nowhere else: Forges of this
	// package. Nil: such pages ask as other downloads do.
	Forges func(c *Context, e *Effect) bool
	// After says that the call has run: what Exists, Found, Stamp and Ref see is what it left.
	After bool

	script *effect.Script // the line is all of it (asrun.go)
	nested int            // how many scripts run it
}

// Found is what a host sees at a path. The zero value is what nobody looked at.
type Found uint8

// What may be at a path.
const (
	FoundUnknown  Found = iota
	FoundNothing        // there is nothing
	FoundKept           // files as the repository's index holds them: git can give them back
	FoundConflict       // a file that a merge left in conflict, which git can make again
	FoundFile           // a file in a work tree with contents that git could not give back
	// FoundTemporary are files and directories of the user's own in a directory of the
	// system for temporary files (effect.Temporary), with no repository in or above them
	// and nothing there that is no file: a socket, a device, what is mounted.
	FoundTemporary
	// FoundStaged are files as FoundKept, of which the commit that is checked out does not
	// have the same, as far as the host sees: what sets the index back takes them.
	FoundStaged
)

// Linked ends the stamp of a file that has several names (link(2)).
const Linked = "+"

// HistoryLimit is H of requirement C3.
const HistoryLimit = 4

// Record is one high-risk primitive in the bounded history (requirement C3).
type Record struct {
	Kind     effect.Kind
	Op       effect.Op
	Resource string
	Time     int64 // as the host counts it
}

// Context is the structured context of a call: everything a gate may read
// (requirement C1). It holds no text of thoughts, descriptions or messages.
type Context struct {
	Tool    string
	Class   call.Class
	Args    []Arg
	Effects []Effect
	Cwd     string
	Home    string
	Roots   []string
	UID     int
	GID     int
	History []Record
	Flow    Flow
	Content []string // the classes of what the call writes, runs or sends, sorted (package class)
	Command string   // the command line of a shell tool, for explanations only
	// Elsewhere is the MCP server that runs the call's line or code, maybe on another machine
	// (call.Call.Elsewhere). What was agreed to here does not count there, nor the other way.
	Elsewhere string
	Doubt     string // call.Call.Doubt, for explanations, and so that no profile and no shadow lets the call pass

	written []effect.Written
	exists  func(path string) bool
	origins Sources // where values come from; nil where nobody knows
	runs    []effect.Run
	cells   []effect.Cell
	broke   int
	places  effect.Places
	consent Consent
	facts   func(name string) (value string, known bool)
	guards  []string // State.Own
	found   func(path string) Found
	stamp   func(path string) string
	holds   func(path string, tracked bool) bool
	text    func(path string) (string, bool)
	names   func(path string) []string
	linksIn func(dir string) []Link
	ref     func(dir, name string, but []string) Ref
	free    func(port uint16) bool
	after   bool
	later   bool // code that is judged before it runs
	nested  int  // how many scripts run the line
	stays   bool // what is judged is what later calls find, when other files may have changed

	plainAsRun func(g *Guardrail, c *Context, effect int, unvetted []string) bool
	throwAway  func(c *Context, effect int) bool
	otherClone func(c *Context, e *Effect) bool
	inline     Inline
	naming     Naming
	forges     func(c *Context, e *Effect) bool
	newDirs    func(c *Context, own []string) []string

	reached func(c *Context, signal *Effect, run int) bool
	output  func(c *Context, deletion *Effect) bool

	discards func(c *Context, e *Effect) Discards

	conditions  *Conditions
	established Established
	action      func() call.Action // nil in a context that is only a record
}

// Remotes are the repositories that the configuration of the workspace names, for
// explanations only: who reads that a call goes to "origin" wants to know where that is. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Remotes() []string { return c.places.Remotes }

// Written are the files that the call writes, as far as their contents are known or come
// from elsewhere. They must not be changed. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Written() []effect.Written { return c.written }

// NewContext builds the context of a request without any schemas but the
// built-in ones. It never fails: what can't be understood is an opaque effect.
func NewContext(req Request, state State) Context {
	return ContextOf(readAt(req, &state, nil), state)
}

// readAt reads a request where it would run. schemas may be nil.
func readAt(req Request, state *State, schemas *call.Schemas) *call.Call {
	places := state.places()
	return call.Read(req, &places, schemas)
}

func (s *State) places() effect.Places {
	return effect.Places{
		PowerShell: s.PowerShell, Words: s.inlineWords(), Says: s.says(), Cwd: s.Cwd, Home: s.Home, Roots: s.Roots, UID: s.UID, Links: s.Links,
		Made: s.Flow.Made, Script: s.script, Kept: s.Kept, Remotes: s.Remotes, Repo: s.Repo, There: s.Exists, Tracked: s.Tracked, Settled: s.settled(),
		SettledText: s.settledText(), TextOf: s.textOf(), NamesOf: s.Names, NamesBelow: s.namesBelow(), GuardsBelow: s.guardsBelow(), Constants: s.Constants,
		StartFiles: s.StartFiles, Link: s.FollowPython, Compiled: s.Compiled,
	}.Normal()
}

// ContextOf is the context of a call that was read, in the state in which it
// would run. The call may have been read before: only where it runs decides how
// it reads.
func ContextOf(c *call.Call, state State) Context {
	places := c.Places()
	out := Context{
		Tool: c.Tool, Class: c.Class, Args: slices.Clone(c.Args), Effects: c.Effects, Cwd: c.Cwd, Home: places.Home, Roots: places.Roots,
		UID: state.UID, GID: state.GID, History: lastRecords(state.History), Flow: state.Flow, Command: c.Command, Elsewhere: c.Elsewhere, Doubt: c.Doubt, Content: c.Content, written: c.Written,
		runs: c.Runs, cells: c.Cells, broke: state.Broke, places: *places, consent: state.Consent, facts: state.Facts, guards: state.Own,
		naming: state.Naming, forges: state.Forges, exists: state.Exists, found: state.Found, stamp: state.Stamp, holds: state.Holds, text: state.Text,
		names: state.Names, linksIn: state.LinksIn, ref: state.Ref, free: state.Free, reached: state.Reached, output: state.Output, discards: state.Discards,
		after: state.After, nested: state.nested, plainAsRun: state.PlainAsRun, throwAway: state.ThrowAway, otherClone: state.OtherClone, inline: state.Inline,
		newDirs:    state.NewDirs,
		conditions: state.Conditions, established: state.Established,
	}
	if out.conditions != nil {
		out.action = c.Action
	}
	out.throughLinks()
	out.throughTrees()
	if state.Aside != nil {
		state.Aside(&out)
	}
	out.givenDirs()
	out.ifThere()
	out.heldSecrets()
	out.ownWords()
	out.wholesale()
	out.credentialsShown()
	if state.Sources != nil {
		out.Trace(state.Sources)
	}
	return out
}

// Apart drops what only the moment of the call knew: where values came from, what people
// agreed to, and what the host could look up. A context that is kept as a record is what
// its canonical form says, and holds no session's memory. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Apart() {
	c.origins, c.consent, c.facts, c.found, c.stamp, c.holds = nil, nil, nil, nil, nil, nil
	c.text, c.names, c.linksIn, c.ref, c.free, c.reached, c.output, c.discards = nil, nil, nil, nil, nil, nil, nil, nil
	c.conditions, c.established, c.action, c.plainAsRun, c.throwAway, c.newDirs, c.otherClone, c.inline, c.naming, c.forges = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
}

// Trace notes where the values of the call's arguments came from. Nothing else in
// a context hangs on that: one built without State.Sources, and traced, is the one
// that would have been built with them.
func (c *Context) Trace(s Sources) {
	c.origins = s
	r, _ := s.(Relations)
	for i := range c.Args {
		a := &c.Args[i]
		relate(a, r)
		origin, source, form := s.Find(a.Value)
		switch origin {
		case call.OriginAgent.String():
			a.Origin, a.Source, a.Form = call.OriginAgent, "", ""
		case call.OriginTask.String():
			a.Origin, a.Source, a.Form = call.OriginTask, "", form
		default: // what is no origin is untrusted
			a.Origin, a.Source, a.Form = call.OriginUntrusted, source, form
		}
	}
}

// relate notes the classes of an amount and of what is sent.
func relate(a *Arg, r Relations) {
	a.Number, a.Link = "", ""
	switch {
	case r == nil:
	case a.Role == effect.RoleAmount.String():
		a.Number = r.Number(a.Value)
	case a.Role == effect.RolePayload.String():
		a.Link = r.Link(a.Value)
	}
}

// ShellContext builds the context of a bare command line.
func ShellContext(command string, state State) Context {
	places := state.places()
	return ContextOf(call.ReadLine(command, &places), state)
}

func lastRecords(h []Record) []Record {
	if len(h) > HistoryLimit {
		h = h[len(h)-HistoryLimit:]
	}
	return h
}

// High says whether the call holds a high-risk effect (requirement C4). Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) High() bool {
	for i := range c.Effects {
		if c.Effects[i].High() {
			return true
		}
	}
	return false
}

// tier returns the worst reversibility tier among the effects (requirement
// Z1). A call without effects is reversible.
func (c *Context) tier() effect.Tier {
	t := effect.TierReversible
	for i := range c.Effects {
		if et := c.Effects[i].Tier(); et < t {
			t = et
		}
	}
	return t
}

// Records returns what the call adds to the history once it has run. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Records(time int64) []Record {
	var out []Record
	for i := range c.Effects {
		if e := &c.Effects[i]; e.High() {
			out = append(out, Record{Kind: e.Kind, Op: e.Op, Resource: e.Resource, Time: time})
		}
	}
	return out
}
