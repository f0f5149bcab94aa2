package shell

import "strings"

// This file tells which database a file of Python has an engine made for (SQLAlchemy's and
// Flask-SQLAlchemy's manuals, "Engine Configuration" and "Configuration").

// engineMakers are the functions that make an engine of an address, and of what is no plain
// address.
const engineMakers = "create_engine create_async_engine async_engine_from_config create_mock_engine create_pool_from_url engine_from_config"

// LocalEngine says whether code makes an engine, and each for a database of this machine that
// it names by a constant.
func LocalEngine(text string) bool {
	l := lexer{d: dialectOf("python"), whole: true}
	l.cut(text, true)
	if l.bad != "" {
		return false
	}
	r := importReader{toks: l.toks}
	made := false
	for i, t := range r.toks {
		switch {
		case t.kind == 'n' && hasWord(engineMakers, t.text) && is(r.toks, i+1, "("):
			if !hasWord("create_engine create_async_engine", t.text) || !r.localAddress(i+2) || !r.plainSettings(i+3) {
				return false
			}
			made = true
		case t.kind == 'n' && hasWord(engineMakers, t.text) && !r.imported(i):
			return false // it goes by another name
		case t.kind == 's' && strings.Trim(t.text, `"'`) == "SQLALCHEMY_DATABASE_URI", t.kind == 'n' && t.text == "SQLALCHEMY_DATABASE_URI":
			j := i + 1
			if is(r.toks, j, "]") || is(r.toks, j, ":") {
				j++
			}
			if is(r.toks, j, "=") {
				j++
			}
			if !r.localAddress(j) {
				return false
			}
			made = true
		}
	}
	return made
}

// plainSettings says whether the arguments from i on are settings of an engine that lead to no
// other database: of those that a driver is given, one may be its host.
func (r *importReader) plainSettings(i int) bool {
	for depth := 0; i < len(r.toks); i++ {
		switch t := r.toks[i]; {
		case t.kind == 'o' && strings.Contains("([{", t.text):
			depth++
		case t.kind == 'o' && strings.Contains(")]}", t.text):
			if depth--; depth < 0 {
				return true
			}
		case is(r.toks, i, "*"), t.kind == 's' && strings.Contains(t.text, "host"), t.kind == 'n' && hasWord("creator dsn host module", t.text):
			return false
		case t.kind == 'n' && t.text == "connect_args" && !is(r.toks, i+2, "{"):
			return false
		}
	}
	return false
}

// imported says whether the name at i stands in an import and keeps its name.
func (r *importReader) imported(i int) bool {
	if r.isWord(i+1, "as") {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		switch {
		case r.isWord(j, "import"):
			return true
		case r.toks[j].kind == 'n' || is(r.toks, j, ",") || is(r.toks, j, "("):
		default:
			return false
		}
	}
	return false
}

// localAddress says whether the value at i is the address of a database on this machine: a
// text, or a name that is given one text and nothing else.
func (r *importReader) localAddress(i int) bool {
	if i >= len(r.toks) || !r.valueEnds(i+1) {
		return false
	}
	if r.toks[i].kind == 's' {
		text, _ := quotedString(r.toks[i].text, r.toks[i].text[0])
		return localDatabase(text)
	}
	if r.toks[i].kind != 'n' {
		return false
	}
	name, given := r.toks[i].text, 0
	for j := range r.toks {
		if !r.isWord(j, name) || j == i {
			continue
		}
		switch {
		case is(r.toks, j-1, "."): // of something else
		case r.toks[j].gap && is(r.toks, j+1, "=") && !is(r.toks, j+2, "="):
			if j+2 >= len(r.toks) || r.toks[j+2].kind != 's' || !r.localAddress(j+2) {
				return false
			}
			given++
		case is(r.toks, j-1, "(") && r.valueEnds(j+1): // handed on
		default:
			return false
		}
	}
	return given == 1
}

// valueEnds says whether a value is over before token i.
func (r *importReader) valueEnds(i int) bool {
	return i >= len(r.toks) || is(r.toks, i, ",") || is(r.toks, i, ")") || is(r.toks, i, "}") || r.toks[i].gap && r.toks[i].kind == 'n'
}

// localDatabase says whether an address of a database names this machine, or a file below the
// working directory.
func localDatabase(address string) bool {
	scheme, rest, ok := cutAt(address, "://")
	if kind, _, _ := cutAt(scheme, "+"); ok && kind == "sqlite" {
		return !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "/file:") && !strings.Contains(rest, "..")
	}
	if at := lastByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	host, _, _ := cutAt(rest, "/")
	return ok && !strings.Contains(address, "?") && onlyHere(host) // what stands in a query may name another host
}

// framesSQL are methods by which tables of packages that compute read and write databases
// (the manuals of pandas and Polars, SQL and Database).
const framesSQL = "read_database read_database_uri read_sql read_sql_query read_sql_table to_sql write_database"

// FramesDatabase says whether code of Python has a table read from a database or written to one,
// where it makes no engine or connection itself that stays on this machine.
func FramesDatabase(text string) bool {
	l := lexer{d: dialectOf("python"), whole: true}
	l.cut(text, true)
	speaks, file := false, false
	for i, t := range l.toks {
		speaks = speaks || t.kind == 'n' && hasWord(framesSQL, t.text)
		file = file || t.kind == 'n' && t.text == "sqlite3" && is(l.toks, i+1, ".") && is(l.toks, i+2, "connect")
	}
	return speaks && !file && !LocalEngine(text)
}
