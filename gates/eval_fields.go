package gates

import "github.com/gbt-policy/gbt/internal/gates/program"

const noField = "gbt: internal error: field that Decode lets through and nobody reads"

func (m *machine) length(f program.Field) int {
	switch f {
	case program.CtxTypes:
		return m.kinds
	case program.CtxArgs:
		return len(m.c.Args)
	case program.CtxEffects:
		return len(m.c.Effects)
	case program.CtxHistory:
		return len(m.c.History)
	}
	return len(m.strings(f))
}

func (m *machine) strings(f program.Field) []string {
	switch f {
	case program.CtxRoots:
		return m.c.Roots
	case program.CtxTypes:
		return m.types[:m.kinds]
	case program.FlowDerived:
		return m.c.Flow.Derived
	case program.FlowUnvetted:
		return m.c.Flow.Unvetted
	}
	panic(noField)
}

func (m *machine) boolField(n *program.Node) bool {
	switch n.Field {
	case program.CtxHigh:
		return m.c.High()
	case program.FlowSensitiveRead:
		return m.c.Flow.SensitiveRead
	}
	e := &m.c.Effects[m.vars[n.Slot].at]
	switch n.Field {
	case program.EffectSensitive:
		return e.Sensitive
	case program.EffectProtected:
		return e.Protected
	case program.EffectGlob:
		return e.Glob
	case program.EffectDeferred:
		return e.Deferred
	case program.PayloadKnown:
		return e.Payload.Known
	}
	panic(noField)
}

func (m *machine) intField(n *program.Node) int64 {
	at := m.vars[n.Slot].at
	switch n.Field {
	case program.CtxUID:
		return int64(m.c.UID)
	case program.CtxGID:
		return int64(m.c.GID)
	case program.ArgSize:
		return int64(len(m.c.Args[at].Value))
	case program.EffectPort:
		return int64(m.c.Effects[at].Net.Port)
	case program.PayloadLen:
		return int64(m.c.Effects[at].Payload.Len)
	case program.RecordTime:
		return m.c.History[at].Time
	}
	panic(noField)
}

// strField reads a string of the context, or of the element v is at.
func (m *machine) strField(f program.Field, v variable) string {
	switch f.Info().Of {
	case program.Arg:
		return argField(&m.c.Args[v.at], f)
	case program.Effect:
		return effectField(&m.c.Effects[v.at], f)
	case program.Record:
		return recordField(&m.c.History[v.at], f)
	case program.Text:
		return m.strings(v.list)[v.at]
	}
	switch f {
	case program.CtxTool:
		return m.tool
	case program.CtxFamily:
		return m.c.Class.Family.String()
	case program.CtxVerb:
		return m.c.Class.Verb.String()
	case program.CtxResource:
		return m.c.Class.Resource.String()
	case program.CtxTier:
		return m.c.Tier().String()
	case program.CtxCwd:
		return m.c.Cwd
	}
	panic(noField)
}

func argField(a *Arg, f program.Field) string {
	switch f {
	case program.ArgPath:
		return a.Path
	case program.ArgValue:
		return a.Value
	case program.ArgOrigin:
		return a.Origin.String()
	case program.ArgSource:
		return a.Source
	case program.ArgForm:
		return a.Form
	case program.ArgRole:
		return a.Role
	}
	panic(noField)
}

func effectField(e *Effect, f program.Field) string {
	switch f {
	case program.EffectType:
		return e.Kind.String()
	case program.EffectOp:
		return e.Op.String()
	case program.EffectZone:
		return e.Zone.String()
	case program.EffectResource:
		return e.Resource
	case program.EffectProgram:
		return e.Program
	case program.EffectArgv:
		return e.Argv
	case program.EffectParent:
		return e.Parent
	case program.EffectScheme:
		return e.Net.Scheme
	case program.EffectDomain:
		return e.Net.Domain
	case program.EffectIP:
		return e.Net.IP
	case program.PayloadMIME:
		return e.Payload.MIME
	case program.PayloadHash:
		return e.Payload.Hash
	}
	panic(noField)
}

func recordField(r *Record, f program.Field) string {
	switch f {
	case program.RecordType:
		return r.Kind.String()
	case program.RecordOp:
		return r.Op.String()
	case program.RecordResource:
		return r.Resource
	}
	panic(noField)
}
