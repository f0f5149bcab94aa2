package shell

import (
	"regexp"
	"slices"
	"strings"
	gotext "text/scanner"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges what the consoles of web frameworks are given on the command line
// (rails runner, artisan tinker, manage.py shell): code that only asks the project's
// own models what there is. It knows one form, a chain of calls that begins at a class
// and of which each is known to read; everything else asks.

// rubyReads are methods of ActiveRecord's relations and models, and of arrays, that only
// read (the Rails Guides, Active Record Query Interface; Ruby's Array and Enumerable).
// Sorted.
var rubyReads = []string{
	"all", "as_json", "attributes", "average", "class", "column_names", "columns", "compact", "count", "distinct", "empty", "exists", "explain", "find", "find_by", "first", "group", "having", "id", "ids", "includes", "inspect", "joins",
	"keys", "last", "left_joins", "length", "limit", "map", "maximum", "minimum", "name", "not", "offset", "order", "pick", "pluck", "primary_key", "reorder", "select", "size", "sort", "sum", "table_name", "take", "tally", "to_a", "to_json",
	"to_s", "to_sql", "uniq", "where",
}

// phpReads are methods of Eloquent's builders, models and collections that only read
// (Laravel's manual, Eloquent and Query Builder). Sorted.
var phpReads = []string{
	"all", "avg", "count", "distinct", "doesntExist", "exists", "explain", "find", "findOrFail", "first", "firstOrFail", "firstWhere", "get", "getTable", "groupBy", "has", "isEmpty", "keys", "latest", "limit", "max", "min", "offset", "oldest",
	"orWhere", "orderBy", "orderByDesc", "pluck", "select", "skip", "sum", "take", "toArray", "toJson", "toRawSql", "toSql", "value", "where", "whereIn", "whereNotNull", "whereNull", "with", "withCount",
}

// printers are what the two languages print with.
var printers = []string{"dd", "dump", "echo", "p", "pp", "print", "print_r", "puts", "var_dump"}

// readsRecords says whether code of the console of Rails (reads: rubyReads) or of Laravel
// (phpReads) consists of chains that only read.
func readsRecords(code string, reads []string) bool {
	if len(code) > maxText || strings.ContainsAny(code, "`$#@%!|") || strings.Contains(code, "<<") {
		return false
	}
	var s gotext.Scanner
	s.Init(strings.NewReader(chainSigns.Replace(code)))
	s.Mode = gotext.ScanIdents | gotext.ScanInts | gotext.ScanFloats | gotext.ScanStrings
	ok, some := true, false
	s.Error = func(*gotext.Scanner, string) { ok = false }
	last := ';'
	for tok := s.Scan(); ok && tok != gotext.EOF; tok = s.Scan() {
		text := s.TokenText()
		switch tok {
		case gotext.Ident:
			ok = chainWord(text, last, s.Peek(), reads)
			some = some || capital(text)
		case gotext.String:
			ok = strings.Trim(text[1:len(text)-1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .,:=<>?-") == ""
		case gotext.Int, gotext.Float, '.', ',', '(', ')', ':', ';', '[', ']', '-':
		default:
			ok = false
		}
		last = tok
	}
	return ok && some
}

// chainSigns writes the signs of both languages in one way: a dot before what is called,
// quotes of one kind, a colon behind a field's name. Questions are asked without their mark.
var chainSigns = strings.NewReplacer("'", "\"", "->", ".", "::", ".", "\\", ".", "&:", " ", "=>", ":", "\n", ";", "exists?", "exists", "empty?", "empty")

// chainWord says whether a word may stand where it does: a class, a call that reads, what
// prints at the beginning of a statement, the name of a field.
func chainWord(word string, last, next rune, reads []string) bool {
	switch {
	case capital(word):
		return true
	case last == '.' || last == '(' && next == ')': // &:name is a call, too
		return isAmong(reads, word)
	case last == ';':
		return isAmong(printers, word)
	}
	return next == ':' || last == ':' || word == "true" || word == "false" || word == "nil" || word == "null"
}

func capital(word string) bool { return word[0] >= 'A' && word[0] <= 'Z' }

// rubyFile says whether a word is the path of a file of Ruby code and, where no such file
// is there, no code that does anything.
func rubyFile(word string) bool {
	return strings.HasSuffix(word, ".rb") && strings.Contains(word, "/") && plainName(strings.NewReplacer("/", "", ".", "", "_", "", "-", "").Replace(word))
}

// frameworkCode judges the code that a console is given by an option or on its input.
// ok is false where it asks: it is not spelled out, or may do more than read.
func (m *machine) frameworkCode(script string, args []string, in data) (ok bool) {
	code, given := in.text, in.known()
	if script == "rails" && len(args) == 4 && (args[1] == "-e" || args[1] == "--environment") && (args[2] == "test" || args[2] == "development") {
		args = []string{args[0], args[3]} // rails runner --help; its data is the project's own
	}
	switch {
	case script == "manage.py" && len(args) == 3 && args[0] == "shell" && (args[1] == "-c" || args[1] == "--command"):
		code, given = args[2], true
	case script == "artisan" && len(args) == 2 && args[0] == "tinker" && strings.HasPrefix(args[1], "--execute="):
		code, given = trimPrefix(args[1], "--execute="), true
	case script == "rails" && len(args) > 1 && (args[0] == "runner" || args[0] == "r") && rubyFile(args[1]):
		if m.aimsElsewhere(args[2:]) || slices.ContainsFunc(args[2:], func(a string) bool { return strings.HasPrefix(a, "-") }) {
			return false // -e names an environment
		}
		m.script(args[1])
		return true
	case script == "rails" && len(args) == 2 && (args[0] == "runner" || args[0] == "r"):
		code, given = args[1], true
	case len(args) != 1 || script == "rails" && args[0] != "console" && args[0] != "c" || script == "artisan" && args[0] != "tinker" || script == "manage.py" && args[0] != "shell":
		return false
	}
	if !given || mark.Has(code) || m.aimsElsewhere(nil) {
		return false
	}
	switch script {
	case "rails":
		code = railsTells.ReplaceAllString(railsLogs.ReplaceAllString(code, ""), "Rails")
		return readsRecords(code, rubyReads) || asksQueues(code)
	case "artisan":
		code = strings.ReplaceAll(code, `\\`, `\`)
		if said := artisanTells.ReplaceAllString(code, `"x"`); said != code {
			code = strings.TrimRight(said, "; \n") + "; App"
		}
		return readsRecords(code, phpReads)
	case "manage.py":
		m.records = true
		m.code("python", code, unknown, false)
		m.records = false
		return true
	}
	return false
}

var (
	// railsTells are what Rails says of itself, and railsLogs a first line that shows the statements
	// that are run (Rails' API, Rails and ActiveRecord::Base).
	railsTells = regexp.MustCompile(`\bRails\.(?:version|env|root)\b|\bActiveRecord::Base\.(?:connection_db_config|connection\.pool\.db_config)\.(?:adapter|database|name)\b`)
	railsLogs  = regexp.MustCompile(`^\s*ActiveRecord::Base\.logger\s*=\s*Logger\.new\((?:\$stdout|STDOUT)\)\s*[;\n]`)
	// artisanTells are helpers of Laravel that say where a page is, what version runs, and settings
	// that are no passwords (Laravel's manual, Helpers, and the files of its directory config).
	artisanTells = regexp.MustCompile(`\b(?:app\(\)->(?:version|environment|getLocale|isLocal|isProduction)\(\)|(?:route|url)\((?:"[\w./-]*"|'[\w./-]*')\)|(?:now|today|base_path|storage_path|app_path)\(\)|config\((?:"[a-z_]+(?:\.[\w-]+)*\.(?:default|driver|name|env|debug|timezone|locale|fallback_locale|connection|queue|retry_after|tries|timeout|prefix|ttl|lifetime|enabled|level|channel|disk|store|guard|provider|expire|domain|host|port|database)"|'[a-z_]+(?:\.[\w-]+)*\.(?:default|driver|name|env|debug|timezone|locale|fallback_locale|connection|queue|retry_after|tries|timeout|prefix|ttl|lifetime|enabled|level|channel|disk|store|guard|provider|expire|domain|host|port|database)')\))`)
)
