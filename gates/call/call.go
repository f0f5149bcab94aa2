package call

import (
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Request is a tool call as a host hands it over, before anybody has read it.
type Request struct {
	Tool string
	Args []byte // JSON: an object, or a string that holds one
	// Hints are an MCP server's annotations of the tool. They raise the risk, and
	// lower it only within what the server may touch (hints.go).
	Hints Hints
}

// Call is a request that has been read: what its arguments are, whether they can
// be read in one way only, and what it will do. It is plain data, made once by
// Read, and everything that judges, follows, remembers or logs a call takes it.
type Call struct {
	Tool    string
	Class   Class
	Args    []Arg // the leaves of the arguments, sorted by path, without words for people
	Command string
	Cwd     string // where it runs: the host's working directory, or the one that an argument names
	Effects []effect.Effect
	Written []effect.Written // the files it writes whose contents are known, or come from elsewhere
	// Content are the classes of what it writes, runs or sends (package class),
	// sorted.
	Content []string
	Cells   []effect.Cell // the code that it hands to interpreters
	Runs    []effect.Run  // the programs of a command line, where the analysis resolved it
	// Elsewhere is the MCP server that is handed a command line or code and may run it on
	// another machine (elsewhere.go); empty where the call runs here.
	Elsewhere string
	// Doubt says why two readers could take the arguments for different calls, or
	// what in them nobody can read; empty for nothing. Such a call is never
	// approved: one of its effects is opaque.
	Doubt string

	places    effect.Places
	request   Request
	line      *shell.Line // the last command line that was analysed
	typed     string      // the command line in the arguments
	holdsLine bool        // there is one
}

// Read reads a request in a place, which must be normal. schemas may be nil. The
// same request, place and schemas give the same call; it never fails: what can't
// be understood is an opaque effect.
func Read(req Request, places *effect.Places, schemas *Schemas) *Call {
	c := &Call{Tool: req.Tool, Class: Classify(req.Tool), Cwd: places.Cwd, places: *places, request: req}
	b := builder{c: c, p: places, call: &c.request, schema: schemas.find(req.Tool), server: schemas.server(req.Tool)}
	if b.schema != nil {
		c.Class = b.schema.class()
	}
	b.build()
	c.Content = b.content().Names()
	c.typed, c.holdsLine = b.doc.command()
	return c
}

// ReadLine reads a bare command line, as a call of a shell.
func ReadLine(command string, places *effect.Places) *Call {
	c := &Call{
		Tool: "shell", Class: Class{FamilyShell, effect.VerbExecute, ResourceProcess, true, BasisBuiltin},
		Cwd: places.Cwd, places: *places, Command: command, line: shell.Parse(command),
	}
	does := c.line.Resolve(places)
	c.Effects, c.Written, c.Runs, c.Cells = does.Effects, does.Written, does.Runs, does.Cells
	c.Content = (&builder{c: c, p: places}).content().Names()
	return c
}

// Places is where the call was read.
func (c *Call) Places() *effect.Places { return &c.places }

// Name is the tool's name as gates see it: lower case, without namespaces.
func (c *Call) Name() string { return Name(c.Tool) }
