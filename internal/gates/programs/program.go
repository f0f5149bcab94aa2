package programs

// Program is one file: a program, the names it has, and what it does.
type Program struct {
	Name   string
	Also   []Alias
	Source Source
	Action string
	// Language says that the arguments are read by Go code of package shell: the
	// program has no row.
	Language bool
	Entry

	Examples []Example
	File     string
}

// Alias is another name of the same program and the source that says so.
type Alias struct{ Name, Source string }

// Source is what was opened to learn what a program does.
type Source struct{ Kind, Package, Version, Page, SHA256 string }

// Example is a line and how it must be read: its effects, or that it asks.
type Example struct {
	Run   string
	Gives []string
	Asks  bool
	Line  int
}

// Entry is what a program or one of its subcommands does.
type Entry struct {
	Also     []string // short forms of a subcommand
	Does     string
	Operands []string
	Last     string
	Stdin    string
	Output   string
	Letters  string
	Options  []Option
	Unlisted string
	Traits   []string
	Subs     []Sub // in the order of the file
	Alone    *Entry

	group bool   // has subcommands, even if none is listed
	like  string // path of the entry that this one is like
	set   map[string]bool
	line  int
}

// Sub is a subcommand.
type Sub struct {
	Name string
	Entry
}

// Option is one option under all of its names, as they are typed.
type Option struct {
	Names []string
	Kind  byte   // '!' a flag, ':' with a value, '?' with one that is attached, '~' with one that may be left out, '&' with a name and a value
	Word  string // what a flag adds, or the role of the value; may be empty
	line  int
}
