package program

// Type is the type of an operation's value.
type Type uint8

// The types. Object lists stand only below Exists and All.
const (
	None Type = iota
	Bool
	Int
	String
	Strings // list of strings
	Objects // list of arguments, effects or records
)

var typeNames = [...]string{"nothing", "bool", "int", "string", "list of strings", "list of objects"}

func (t Type) String() string { return typeNames[t] }

// Object is what a variable stands for.
type Object uint8

// The objects. Every program has one variable of object Context; Exists and All
// add one of the others each.
const (
	Context Object = iota
	Arg
	Effect
	Record
	Text // an element of a list of strings
	NumObjects
)

var objectNames = [...]string{"ctx", "argument", "effect", "record", "string"}

// String is the object's name in gates/PROGRAM.md.
func (o Object) String() string { return objectNames[o] }

// Field names one thing to read. Numbers are part of the format: they are never
// reused. Which there are is for package gates to say, which has the table.
type Field uint8

// The fields that the format itself knows: none, and the element of a list of
// strings itself. MaxFields is the room there is for numbers.
const (
	NoField   Field = 0
	TextSelf  Field = 48
	MaxFields       = 64
)

// Info says what a field is.
type Info struct {
	Name string // below its object, as the language writes it
	Of   Object
	Type Type
	Elem Object // of a list
	Few  bool   // it has few values: a flag, or a name from a short list
	Doc  string // one line for people
}

// Fields are the fields that programs may read, by number. A zero Info, of type
// None, is no field.
type Fields [MaxFields]Info

// Info describes a field. It must not be changed.
func (fs *Fields) Info(f Field) *Info {
	if f >= MaxFields {
		f = NoField
	}
	return &fs[f]
}

// Lookup finds the field of an object by its name in the language.
func (fs *Fields) Lookup(of Object, name string) (Field, bool) {
	for f := NoField + 1; f < MaxFields; f++ {
		if fs[f].Type != None && fs[f].Of == of && fs[f].Name == name {
			return f, true
		}
	}
	return NoField, false
}
