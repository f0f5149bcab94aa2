package shell

import "strings"

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
