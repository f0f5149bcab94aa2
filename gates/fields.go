package gates

import (
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// fieldTable is everything that a gate may read, and the only place that lists
// it: a row is a field. The evaluator, the index, the reader of programs, the
// canonical form, the compiler's CEL environment, its judge and the table of
// PROGRAM.md follow from it; CONTRIBUTING.md has the recipe.
//
// A number is part of the format of programs and never used again; a new field
// takes the next free one, wherever its row stands. The rows of an object stand
// in the order of the canonical form; a dot in a name makes an object of it
// there, whose rows stand together. What is stored in a Context is part of that
// form. What follows from the rest (flagOf, numberOf, enumOf) is not, unless it
// is written for the sake of those who keep old contexts.
func fieldTable() []fieldRow {
	return rowsOf([]fieldLine{
		{1, ofContext, "tool", some, textAt(func(v *view, _ int) *string { return &v.tool }), "the tool's name in lower case without namespaces"},
		{2, ofContext, "family", few, enumAt(func(v *view, _ int) *uint8 { return (*uint8)(&v.Class.Family) }, call.NumFamilies), "what kind of tool it is"},
		{3, ofContext, "verb", few, enumAt(func(v *view, _ int) *uint8 { return (*uint8)(&v.Class.Verb) }, effect.NumVerbs), "what the tool does, by its name or schema"},
		{4, ofContext, "resource", few, enumAt(func(v *view, _ int) *uint8 { return (*uint8)(&v.Class.Resource) }, call.NumResources), "what the tool does it to"},
		{5, ofContext, "high", few, flagOf(func(v *view, _ int) bool { return v.High() }).written(), "an effect is high-risk"},
		{6, ofContext, "tier", few, enumOf(func(v *view, _ int) effect.Tier { return v.tier() }).written(namesOf(effect.TierReversible + 1)...), "how far the worst effect can be undone"},
		{7, ofContext, "cwd", many, textAt(func(v *view, _ int) *string { return &v.Cwd }), "the working directory"},
		{8, ofContext, "roots", many, textsAt(func(v *view, _ int) *[]string { return &v.Roots }), "the roots of the workspace"},
		{9, ofContext, "uid", many, numberAt(func(v *view, _ int) *int { return &v.UID }, func(v *view, _ int) int64 { return int64(v.UID) }), "the user, -1 if unknown"},
		{10, ofContext, "gid", many, numberAt(func(v *view, _ int) *int { return &v.GID }, func(v *view, _ int) int64 { return int64(v.GID) }), "the group, -1 if unknown"},
		{11, ofContext, "types", few, textsAt(func(v *view, _ int) *[]string { return &v.types }), "the types of the effects, sorted, each once"},
		{12, ofContext, "args", many, objectsAt(ofArg, func(v *view) *[]Arg { return &v.Args }), "the leaves of the arguments"},
		{13, ofContext, "effects", many, objectsAt(ofEffect, func(v *view) *[]Effect { return &v.Effects }), "what the call will do"},
		{49, ofContext, "content", few, textsAt(func(v *view, _ int) *[]string { return &v.Content }), "classes of what it writes, runs or sends: credentials, downloads, listens, persists, personal, unread"},
		{14, ofContext, "history", many, objectsAt(ofRecord, func(v *view) *[]Record { return &v.History }), "high-risk effects before it in the same macro, oldest first"},
		{15, ofContext, "flow.sensitive_read", few, flagAt(func(v *view, _ int) *bool { return &v.Flow.SensitiveRead }), "something sensitive was read before"},
		{16, ofContext, "flow.derived", many, textsAt(func(v *view, _ int) *[]string { return &v.Flow.Derived }), "resources written since then"},
		{17, ofContext, "flow.unvetted", many, textsAt(func(v *view, _ int) *[]string { return &v.Flow.Unvetted }), "files written with contents that nobody vetted"},

		{18, ofArg, "path", some, textAt(func(v *view, i int) *string { return &v.Args[i].Path }), "where in the arguments it stands"},
		{19, ofArg, "value", many, textAt(func(v *view, i int) *string { return &v.Args[i].Value }), "its value as text"},
		{20, ofArg, "origin", few, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.Args[i].Origin) }, call.NumOrigins), "who its value comes from"},
		{21, ofArg, "source", many, textAt(func(v *view, i int) *string { return &v.Args[i].Source }), "the tool whose result first held an untrusted value"},
		{22, ofArg, "form", many, textAt(func(v *view, i int) *string { return &v.Args[i].Form }), "where in that result it stood; ~ is free text, = a field of the record that the task selected"},
		{23, ofArg, "role", some, textAt(func(v *view, i int) *string { return &v.Args[i].Role }), "what it is for"},
		{24, ofArg, "size", many, numberOf(func(v *view, i int) int64 { return int64(len(v.Args[i].Value)) }).written(), "length of its value in bytes"},
		{50, ofArg, "number", some, textAt(func(v *view, i int) *string { return &v.Args[i].Number }), "how an amount compares with the numbers of the task"},
		{51, ofArg, "link", some, textAt(func(v *view, i int) *string { return &v.Args[i].Link }), "where the addresses in the words that it sends come from"},

		{25, ofEffect, "type", few, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.Effects[i].Kind) }, effect.NumKinds), "what happens"},
		{26, ofEffect, "op", some, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.Effects[i].Op) }, effect.NumOps), "how it happens"},
		{27, ofEffect, "zone", few, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.Effects[i].Zone) }, effect.NumZones), "where the file lies, as seen from the workspace"},
		{28, ofEffect, "resource", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Resource }), "what it happens to: a path, a host, a name"},
		{29, ofEffect, "program", some, textAt(func(v *view, i int) *string { return &v.Effects[i].Program }), "the program that does it"},
		{30, ofEffect, "argv", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Argv }), "the words of its command"},
		{31, ofEffect, "parent", some, textAt(func(v *view, i int) *string { return &v.Effects[i].Parent }), "the program that starts that one, empty for the shell"},
		{32, ofEffect, "scheme", some, textAt(func(v *view, i int) *string { return &v.Effects[i].Net.Scheme }), "the scheme of an address"},
		{33, ofEffect, "domain", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Net.Domain }), "the host of an address, if it is a name"},
		{34, ofEffect, "ip", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Net.IP }), "the host of an address, if it is a number"},
		{35, ofEffect, "port", many, numberAt(func(v *view, i int) *uint16 { return &v.Effects[i].Net.Port }, func(v *view, i int) int64 { return int64(v.Effects[i].Net.Port) }), "the port of an address, 0 if unknown"},
		{36, ofEffect, "sensitive", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Sensitive }), "it touches something secret"},
		{37, ofEffect, "protected", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Protected }), "it touches something protected"},
		{38, ofEffect, "glob", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Glob }), "its resource is a pattern"},
		{39, ofEffect, "deferred", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Deferred }), "it happens later"},
		{52, ofEffect, "named", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Named }), "it goes to a remote that the workspace's own configuration names"},
		{53, ofEffect, "deed", some, textAt(func(v *view, i int) *string { return &v.Effects[i].Deed }), "what the program does at a repository: push, pr comment; update, for new versions of dependencies"},
		{54, ofEffect, "ref", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Ref }), "the branches and tags that a push changes; * is any"},
		{55, ofEffect, "loses", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Loses }), "it takes away what others have: a forced push, a deletion"},
		{40, ofEffect, "payload.known", few, flagAt(func(v *view, i int) *bool { return &v.Effects[i].Payload.Known }), "the size of what it writes or sends is known"},
		{41, ofEffect, "payload.len", many, numberAt(func(v *view, i int) *int { return &v.Effects[i].Payload.Len }, func(v *view, i int) int64 { return int64(v.Effects[i].Payload.Len) }), "that size in bytes"},
		{42, ofEffect, "payload.mime", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Payload.MIME }), "its media type"},
		{43, ofEffect, "payload.hash", many, textAt(func(v *view, i int) *string { return &v.Effects[i].Payload.Hash }), "its SHA-256 in hexadecimal, if its bytes are known"},

		{44, ofRecord, "type", some, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.History[i].Kind) }, effect.NumKinds), "what happened"},
		{45, ofRecord, "op", some, enumAt(func(v *view, i int) *uint8 { return (*uint8)(&v.History[i].Op) }, effect.NumOps), "how it happened"},
		{46, ofRecord, "resource", many, textAt(func(v *view, i int) *string { return &v.History[i].Resource }), "what it happened to"},
		{47, ofRecord, "time", many, numberAt(func(v *view, i int) *int64 { return &v.History[i].Time }, func(v *view, i int) int64 { return int64(v.History[i].Time) }), "when, as the host counts it"},

		{program.TextSelf, program.Text, "", many, &access{typ: program.String}, "an element of a list of strings"},
	})
}

// Shorter names for the rows.
const (
	ofContext = program.Context
	ofArg     = program.Arg
	ofEffect  = program.Effect
	ofRecord  = program.Record
)
