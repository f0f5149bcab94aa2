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

// Field names one thing to read. Numbers are part of the format: they are never
// reused, and new ones are added at the end.
type Field uint8

// The fields.
const (
	NoField Field = iota
	CtxTool
	CtxFamily
	CtxVerb
	CtxResource
	CtxHigh
	CtxTier
	CtxCwd
	CtxRoots
	CtxUID
	CtxGID
	CtxTypes
	CtxArgs
	CtxEffects
	CtxHistory
	FlowSensitiveRead
	FlowDerived
	FlowUnvetted
	ArgPath
	ArgValue
	ArgOrigin
	ArgSource
	ArgForm
	ArgRole
	ArgSize
	EffectType
	EffectOp
	EffectZone
	EffectResource
	EffectProgram
	EffectArgv
	EffectParent
	EffectScheme
	EffectDomain
	EffectIP
	EffectPort
	EffectSensitive
	EffectProtected
	EffectGlob
	EffectDeferred
	PayloadKnown
	PayloadLen
	PayloadMIME
	PayloadHash
	RecordType
	RecordOp
	RecordResource
	RecordTime
	TextSelf // the element itself
	NumFields
)

// Info says what a field is.
type Info struct {
	Name string // below its object, as the language writes it
	Of   Object
	Type Type
	Elem Object // of a list
}

var infos = [NumFields]Info{
	CtxTool:           {"tool", Context, String, 0},
	CtxFamily:         {"family", Context, String, 0},
	CtxVerb:           {"verb", Context, String, 0},
	CtxResource:       {"resource", Context, String, 0},
	CtxHigh:           {"high", Context, Bool, 0},
	CtxTier:           {"tier", Context, String, 0},
	CtxCwd:            {"cwd", Context, String, 0},
	CtxRoots:          {"roots", Context, Strings, Text},
	CtxUID:            {"uid", Context, Int, 0},
	CtxGID:            {"gid", Context, Int, 0},
	CtxTypes:          {"types", Context, Strings, Text},
	CtxArgs:           {"args", Context, Objects, Arg},
	CtxEffects:        {"effects", Context, Objects, Effect},
	CtxHistory:        {"history", Context, Objects, Record},
	FlowSensitiveRead: {"flow.sensitive_read", Context, Bool, 0},
	FlowDerived:       {"flow.derived", Context, Strings, Text},
	FlowUnvetted:      {"flow.unvetted", Context, Strings, Text},
	ArgPath:           {"path", Arg, String, 0},
	ArgValue:          {"value", Arg, String, 0},
	ArgOrigin:         {"origin", Arg, String, 0},
	ArgSource:         {"source", Arg, String, 0},
	ArgForm:           {"form", Arg, String, 0},
	ArgRole:           {"role", Arg, String, 0},
	ArgSize:           {"size", Arg, Int, 0},
	EffectType:        {"type", Effect, String, 0},
	EffectOp:          {"op", Effect, String, 0},
	EffectZone:        {"zone", Effect, String, 0},
	EffectResource:    {"resource", Effect, String, 0},
	EffectProgram:     {"program", Effect, String, 0},
	EffectArgv:        {"argv", Effect, String, 0},
	EffectParent:      {"parent", Effect, String, 0},
	EffectScheme:      {"scheme", Effect, String, 0},
	EffectDomain:      {"domain", Effect, String, 0},
	EffectIP:          {"ip", Effect, String, 0},
	EffectPort:        {"port", Effect, Int, 0},
	EffectSensitive:   {"sensitive", Effect, Bool, 0},
	EffectProtected:   {"protected", Effect, Bool, 0},
	EffectGlob:        {"glob", Effect, Bool, 0},
	EffectDeferred:    {"deferred", Effect, Bool, 0},
	PayloadKnown:      {"payload.known", Effect, Bool, 0},
	PayloadLen:        {"payload.len", Effect, Int, 0},
	PayloadMIME:       {"payload.mime", Effect, String, 0},
	PayloadHash:       {"payload.hash", Effect, String, 0},
	RecordType:        {"type", Record, String, 0},
	RecordOp:          {"op", Record, String, 0},
	RecordResource:    {"resource", Record, String, 0},
	RecordTime:        {"time", Record, Int, 0},
	TextSelf:          {"", Text, String, 0},
}

// Info describes a field. The zero Info, of type None, is no field.
func (f Field) Info() Info {
	if f >= NumFields {
		return Info{}
	}
	return infos[f]
}

// Lookup finds the field of an object by its name in the language.
func Lookup(of Object, name string) (Field, bool) {
	for f := NoField + 1; f < NumFields; f++ {
		if infos[f].Of == of && infos[f].Name == name {
			return f, true
		}
	}
	return NoField, false
}
