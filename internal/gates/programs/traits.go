package programs

// A trait is a fact about a program that the engine acts on and that no role
// says. Use is what its constant is called.
type trait struct{ text, use, about string }

// traitWords are all traits. Their order is that of the bits in the tables.
var traitWords = []trait{}
