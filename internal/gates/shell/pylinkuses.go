package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file says what modules of the workspace may use beside what inline code may.

// linkedMember says whether a module of the workspace may use such a member of the library beside
// those of inline code: the console is what it writes to, unless it is told a file.
func linkedMember(toFile bool, mod, name string) bool {
	return mod == "logging" && (name == "StreamHandler" || name == "basicConfig" && !toFile)
}

// linkedMethod says whether the method at i is one that modules of the workspace may use beside those
// of inline code: a path that is made whole is the same path, and loggers write to the console.
func linkedMethod(p *pythonCode, i int) bool {
	switch name := p.toks[i].text; {
	case name == "resolve" || name == "absolute":
		return p.is(i+1, "(") && p.is(i+2, ")")
	case name == "invoke":
		return p.py.says("CliRunner")
	case p.strict && (hasWord(pyDeclares, name) || strings.HasSuffix(name, "Field")):
		return true
	default:
		return hasWord("exception critical setLevel isEnabledFor addHandler setFormatter", name)
	}
}

// Members of packages that declare the tables of a database, and do nothing to one (the references of
// SQLAlchemy 2.0 and Django 5.2).
const pyDeclares = " Column Integer BigInteger SmallInteger String Text Unicode Boolean Float Numeric Date DateTime Time Interval LargeBinary Enum JSON UUID ARRAY ForeignKey ForeignKeyConstraint PrimaryKeyConstraint UniqueConstraint CheckConstraint Index Identity Sequence MetaData Table func select and_ or_ not_ case cast desc asc " +
	"relationship backref declarative_base DeclarativeBase Mapped mapped_column registry validates hybrid_property models Model Q F "

// declares says whether a module is one of them, and a name, if one is told, such a member.
func declares(mod, name string) bool {
	sql := mod == "sqlalchemy" || mod == "sqlalchemy.orm" || mod == "sqlalchemy.ext.declarative" || mod == "sqlalchemy.ext.hybrid"
	return (sql || mod == "django.db" && (name == "models" || name == "") || mod == "django.db.models") && (name == "" || hasWord(pyDeclares, name) || strings.HasSuffix(name, "Field"))
}

// doubtVerb says what an effect does, by its kind; empty for one of which nobody can tell.
func doubtVerb(k effect.Kind) string {
	switch k {
	case effect.Read:
		return "reads"
	case effect.List:
		return "lists"
	case effect.Write:
		return "writes"
	case effect.Delete:
		return "deletes"
	case effect.Spawn:
		return "starts"
	case effect.Network:
		return "connects to"
	case effect.Setting:
		return "changes"
	case effect.Signal:
		return "signals"
	}
	return ""
}

// linkedDoubt is the first thing since an effect, of code that is put together, about which somebody
// would be asked: what it is, of which function, file and line it is. Which of the functions that are
// called so runs is not known, so nothing is rejected for what one of them would do.
func linkedDoubt(m *machine, start int, text string) string {
	doubt := ""
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if harmless(e) && !((e.Kind == effect.Read || e.Kind == effect.List) && e.Zone == effect.ZoneOutside) || e.Kind == effect.Delete && e.Zone == effect.ZoneTemp {
			continue
		}
		what, uses := strings.CutPrefix(e.Resource, "inline code of python uses ")
		if !uses {
			verb := doubtVerb(e.Kind)
			if what = verb + " " + e.Resource; verb == "" || e.Resource == "" {
				what = "does what gbt cannot tell"
			}
			place := m.placeIn(text, e.Resource)
			if place == "" && doubt != "" {
				continue
			}
			if what = "code of the workspace that " + what + place; place != "" {
				what = strings.TrimPrefix(place, " in ") + ", which " + strings.TrimPrefix(what[:len(what)-len(place)], "code of the workspace that ")
			}
		}
		if doubt == "" || !strings.Contains(doubt, "(") && strings.Contains(what, "(") {
			doubt = what
		}
	}
	return doubt
}

// placeIn says where in the text a resource is named that an effect has.
func (m *machine) placeIn(text, resource string) string {
	for _, part := range [...]string{resource, path.Base(resource)} {
		if len(part) < 3 || mark.Has(part) {
			continue
		}
		if at := strings.Index(text, part); at >= 0 {
			if place := m.sourceOf(text, at); place != "" {
				return place
			}
		}
	}
	return ""
}

// judgesLinked is what ends the reading of code that is put together. What that has recorded is taken
// back if somebody would be asked about it: then the code is judged by itself, and what it runs is asked
// about.
func (m *machine) judgesLinked(given string) func(text string) bool {
	start, files, runs := len(m.effects), len(m.files), len(m.runs)
	return func(text string) bool {
		doubt := linkedDoubt(m, start, text)
		if m.linked = nil; doubt == "" {
			return false
		}
		m.effects, m.files, m.runs = m.effects[:min(start, len(m.effects))], m.files[:min(files, len(m.files))], m.runs[:min(runs, len(m.runs))]
		m.disown(start)
		m.escape("inline code of python uses " + doubt)
		m.alone = true
		m.code("python", given, unknown, false)
		m.alone = false
		return true
	}
}
