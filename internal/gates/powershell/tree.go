package powershell

// node is a part of a line: a statement or an expression.
type node interface{ isNode() }

type (
	// block is a list of statements.
	block struct{ list []node }

	// chain is pipelines that && and || put together; ops has one less than list.
	chain struct {
		list []node
		ops  []string
	}
	// pipe is a pipeline.
	pipe struct {
		elems []node
		async bool // & at its end
	}
	// command runs a cmdlet or a program.
	command struct {
		name   node // a text, or what is to be called
		called bool // by & or .
		args   []arg
		redirs []redir
	}
	// expr is an expression as an element of a pipeline.
	expr struct {
		x      node
		redirs []redir
	}
	// assign gives a variable a value.
	assign struct {
		to    node
		op    string
		value node
	}
	branch struct {
		conds  []node
		bodies []*block
		other  *block
	}
	// each is the loop foreach ($name in list).
	each struct {
		name string
		list node
		body *block
	}
	// repeat is while, do and for: in turn, what comes first, what is looked at, what comes
	// after each round, and the body.
	repeat struct {
		first, cond, step node
		body              *block
	}
	guarded struct{ body, catch, finally *block }
	// leave is return, exit, break, continue and throw.
	leave struct {
		word  string
		value node
	}

	// text is a string or a bare word, of literal parts and of what is put in.
	text struct {
		parts []node // of text: lit
		bare  bool
		plain bool // a bare word that begins with no quotation mark
	}
	lit      struct{ s string }
	number   struct{ s string }
	variable struct{ name string }
	list     struct{ elems []node }
	member   struct {
		of     node
		name   string
		static bool
		call   bool
		args   []node
	}
	index  struct{ of, at node }
	paren  struct{ x node }   // ( pipeline )
	sub    struct{ b *block } // $( ) and @( )
	table  struct{ values []node }
	script struct{ b *block }
	typed  struct {
		name string
		of   node // nil for the type itself
	}
	binary struct {
		ops      []string
		operands []node
	}
	unary struct {
		op string
		x  node
	}
)

// arg is an argument of a command: a parameter, with its value if it stands behind a
// colon, or a value.
type arg struct {
	param string
	value node
	raw   string // as it is written
	tight bool   // an array without blanks at its commas
}

type redir struct {
	from string // the stream's number, * for all
	to   node   // nil for another stream
	more bool   // >>
}

func (*block) isNode()    {}
func (*chain) isNode()    {}
func (*pipe) isNode()     {}
func (*command) isNode()  {}
func (*expr) isNode()     {}
func (*assign) isNode()   {}
func (*branch) isNode()   {}
func (*each) isNode()     {}
func (*repeat) isNode()   {}
func (*guarded) isNode()  {}
func (*leave) isNode()    {}
func (*text) isNode()     {}
func (*lit) isNode()      {}
func (*number) isNode()   {}
func (*variable) isNode() {}
func (*list) isNode()     {}
func (*member) isNode()   {}
func (*index) isNode()    {}
func (*paren) isNode()    {}
func (*sub) isNode()      {}
func (*table) isNode()    {}
func (*script) isNode()   {}
func (*typed) isNode()    {}
func (*binary) isNode()   {}
func (*unary) isNode()    {}
