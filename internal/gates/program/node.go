package program

// Op is an operation. Numbers are part of the format and never reused. Zero is
// none, so that cleared memory is no program.
type Op uint8

// The operations, with what stands below each.
const (
	NoOp        Op = iota
	True           // bool
	False          // bool
	Get            // a field of a variable
	Const          // string
	Num            // int
	Not            // bool
	And            // two or more bools
	Or             // two or more bools
	StrEq          // two strings
	StrLt          // two strings, by bytes
	StrLe          // two strings, by bytes
	IntEq          // two ints
	IntLt          // two ints
	IntLe          // two ints
	InSet          // a string, in a sorted list of two or more constants
	InInts         // an int, in a sorted list of two or more constants
	InList         // a string, in a field that is a list of strings
	HasPrefix      // two strings: the first starts with the second
	HasSuffix      // two strings
	Contains       // two strings
	Matches        // a string, and an RE2 pattern
	Under          // two strings: path, directory
	DomainUnder    // two strings: host, domain
	SizeStr        // code points of a string
	SizeList       // length of a field that is a list
	Exists         // a field that is a list, and a bool over its element
	All            // a field that is a list, and a bool over its element
	NumOps
)

// Node is one operation. The nodes of a program stand in preorder: the first
// operand follows its operation, and End is where the operation's operands end,
// so an operation's second operand begins at the End of its first.
type Node struct {
	Op    Op
	Field Field
	Slot  uint8 // of Get and lists: the variable, 0 for ctx, counted from the outermost quantifier
	End   int32
	Num   int64  // of Num
	Str   string // of Const and Matches
	Set   []string
	Ints  []int64
}

// Limits on a program. They are an order of magnitude above what a person
// writes, so that a gate stays something to read.
const (
	Version   = 1
	MaxBytes  = 1 << 16
	MaxNodes  = 1 << 12
	MaxTexts  = 1 << 11 // distinct strings
	MaxText   = 1 << 12 // bytes of one string
	MaxSet    = 1 << 11 // elements of one list of constants
	MaxDepth  = 32      // operations above an operation
	MaxVars   = 2       // quantifiers around an operation
	MaxRegexp = 1 << 10 // bytes of a pattern
)

// argTypes are the operands of the operations that have a fixed number of plain
// ones.
var argTypes = [NumOps][]Type{
	Not:   {Bool},
	StrEq: {String, String}, StrLt: {String, String}, StrLe: {String, String},
	IntEq: {Int, Int}, IntLt: {Int, Int}, IntLe: {Int, Int},
	HasPrefix: {String, String}, HasSuffix: {String, String}, Contains: {String, String},
	Under: {String, String}, DomainUnder: {String, String}, SizeStr: {String},
	InSet: {String}, InInts: {Int}, InList: {String}, Matches: {String},
	Exists: {Bool}, All: {Bool},
}

// Type is the type of an operation's value; of Get it is the field's.
func (n *Node) Type(fields *Fields) Type {
	switch n.Op {
	case NoOp:
		return None
	case Get:
		return fields.Info(n.Field).Type
	case Const:
		return String
	case Num, SizeStr, SizeList:
		return Int
	}
	if n.Op < NumOps {
		return Bool
	}
	return None
}
