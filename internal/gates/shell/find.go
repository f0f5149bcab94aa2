package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// find runs find(1): starting points, then an expression whose actions may
// run, write and delete (GNU and BSD manuals).
func (m *machine) find(args []string, want bool) data {
	m.spawn(effect.OpRun, "find")
	start := len(m.effects)
	var roots []string
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-H" || a == "-L" || a == "-P" || a == "-E" || a == "-X" || a == "-d" || a == "-s" || a == "-x" || strings.HasPrefix(a, "-O") || a == "--":
		case a == "-D" && i+1 < len(args):
			i++
		case a == "-f" && i+1 < len(args):
			i++
			roots = append(roots, args[i])
		case a == "" || a[0] == '-' || a == "(" || a == "!" || a == ")" || a == ",":
			goto expression
		default:
			roots = append(roots, a)
		}
	}
expression:
	if len(roots) == 0 {
		roots = append(roots, ".")
	}
	for _, r := range roots {
		m.path(effect.List, effect.OpSearch, r)
	}
	printed, only := foundBy(args[i:])
	if printed == nil && narrowed(args[i:]) && m.inHome(roots) {
		for k, names := range only {
			if names == nil {
				only[k] = []string{string(rune(mark.Star))} // some files of a home, not all of it
			}
		}
	}
	found := m.listing(start)
	if len(roots) == 1 && found != unknown.text {
		if names, ok := m.namesBelow(roots[0], printed, false); ok {
			found = names
		}
	}
	secret := ""
	if pattern := soughtSecret(args[i:]); pattern != "" {
		secret = m.secretBelow(roots[0], pattern)
		found = secret
	}
	judged := len(m.effects)
	m.findExpr(args[i:], roots, found, only, secret)
	if isAmong(args[:i], "-L") || isAmong(args[i:], "-follow") {
		for k := judged; k < len(m.effects); k++ {
			if e := &m.effects[k]; e.Kind == effect.Delete { // links lead it wherever they point
				e.Zone = effect.ZoneUnknown
			}
		}
	}
	if !want {
		return data{}
	}
	return data{text: found}
}

// inHome says whether a search starts at somebody's home.
func (m *machine) inHome(roots []string) bool {
	full := m.p.Resolve(m.cwd, roots[0])
	return len(roots) == 1 && effect.TooWide(full, m.p.Home) && strings.Count(full, "/") > 1
}

// narrowed says whether tests leave most files out: of age, size, name or owner,
// where nothing is negated or joined by -o.
func narrowed(args []string) bool {
	some := false
	for _, a := range args {
		switch a {
		case "!", "-not", "-o", "-or", ",":
			return false
		case "-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-ctime", "-empty", "-gid", "-group", "-iname", "-inum", "-ipath", "-iregex", "-links", "-mmin", "-mtime", "-name", "-newer",
			"-path", "-regex", "-samefile", "-size", "-uid", "-used", "-user":
			some = true
		}
	}
	return some
}

func (m *machine) findExpr(args, roots []string, found string, only map[int][]string, secret string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; a {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(args) && args[end] != ";" && !(args[end] == "+" && end > i+1) {
				end++
			}
			for _, name := range orAny(only[i]) {
				m.findExec(args[i+1:end], roots, found, name, secret)
			}
			i = end
		case "-delete":
			for _, r := range roots {
				for _, name := range orAny(only[i]) {
					m.path(effect.Delete, effect.OpRemoveTree, r+"/\x02"+below(name))
				}
			}
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			if i+1 < len(args) {
				i++
				m.write(args[i], effect.OpCreate)
			}
		case "-files0-from":
			if i+1 < len(args) {
				i++
				m.read(args[i])
			}
		default:
			if a != "" && a[0] == mark.Unknown && (i == 0 || !strings.HasPrefix(args[i-1], "-")) {
				m.opaque(effect.OpComputed, "computed part of a find expression")
			}
			if i > 0 && (args[i-1] == "-name" || args[i-1] == "-iname") {
				m.searchFor(a, roots)
			}
		}
	}
}

// orAny is a list of patterns of names, an empty one for any where there are none.
func orAny(names []string) []string {
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

// below is the end of the path of something found at any depth by its name. Not inlined, for the size of programs.
//
//go:noinline
func below(name string) string {
	if name == "" {
		return ""
	}
	return "/" + name
}

// searchFor records a search for key material outside the workspace.
func (m *machine) searchFor(name string, roots []string) {
	name = plain(name)
	if !names.SoughtSecret(name) {
		return
	}
	for _, r := range roots {
		full := m.p.Resolve(m.cwd, r)
		if z, _, _ := m.p.Where(full); z != effect.ZoneWorkspace && z != effect.ZoneTemp {
			m.record(effect.Effect{Kind: effect.List, Op: effect.OpSearch, Zone: z, Sensitive: true, Resource: show(full) + " for " + name})
			return
		}
	}
}

// findExec runs the command of -exec with {} standing for what is found.
func (m *machine) findExec(argv, roots []string, found, only, secret string) {
	if len(argv) == 0 {
		return
	}
	item := found
	if secret != "" {
		item = secret
	} else if len(roots) == 1 && !mark.Has(roots[0]) {
		item = m.p.Resolve(m.cwd, roots[0]) + "/\x02"
		if z, _, _ := m.p.Where(item); z == effect.ZoneWorkspace {
			item = string(rune(mark.Inside)) + below(only)
			if names, ok := m.namesBelow(roots[0], onlyNamed(only), false); ok {
				item = names
			}
		} else if m.inHome(roots) {
			item += below(only)
		}
	}
	run := make([]string, len(argv))
	for i, a := range argv {
		run[i] = strings.ReplaceAll(a, "{}", item)
	}
	if line, ok := m.putIn(argv, "{}", item); ok {
		defer m.restore(m.save())
		m.assign(itemName, item)
		run = line
	} else if m.p.NamesBelow == nil && shellArg(argv) && strings.HasPrefix(item, string(rune(mark.Inside))) {
		// A file's name becomes part of a command line: where nobody looks what names there are, judge the
		// line with a plain one in place of it. Elsewhere it may hold anything.
		for i, a := range argv {
			if a != "{}" {
				run[i] = strings.ReplaceAll(a, "{}", "./found-file")
			}
		}
	}
	m.run(run, data{tty: true}, false)
}

// onlyNamed is a list of one pattern, nil for the empty one.
func onlyNamed(pattern string) []string {
	if pattern == "" {
		return nil
	}
	return []string{pattern}
}

// shellArg says whether a command hands a line to a shell.
func shellArg(argv []string) bool {
	switch argv[0][lastByte(argv[0], '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh":
		return true
	}
	return false
}

// xargsOptions are those of xargs(1), GNU's and BSD's.
var xargsOptions = getopt{
	valued: "aEILnPsdJRS", attached: "eil", first: true,
	longs: "arg-file= delimiter= eof? exit help interactive max-args= max-chars= max-lines? max-procs= no-run-if-empty null open-tty process-slot-var= replace? show-limits verbose version",
}

// xargs runs a command with items from standard input.
func (m *machine) xargs(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, "xargs")
	opts, cmd := xargsOptions.read(args)
	repl, split := "", itemSplit{}
	for _, o := range opts {
		switch o.name {
		case "I":
			repl = o.value
		case "J": // where no word is this one, the items come last
			if isAmong(cmd, o.value) {
				repl = o.value
			}
		case "i", "replace":
			if repl = o.value; repl == "" {
				repl = "{}"
			}
		case "0", "null":
			split.null = true
		case "d", "delimiter":
			split.end, split.ends = o.value, true
		case "n", "max-args":
			split.batch = o.value
		case "L", "l", "max-lines":
			split.lines = true
		case "a", "arg-file":
			in = m.readStdin(o.value)
		case "":
			m.opaque(effect.OpComputed, "computed option of xargs")
		}
	}
	if len(cmd) == 0 {
		return in
	}
	if batches, ok := split.batches(in); ok && repl == "" {
		var out data
		for _, items := range batches {
			out = m.run(append(append([]string(nil), cmd...), items...), data{tty: true}, want)
		}
		if len(batches) > 1 {
			return unknown
		}
		return out
	}
	return m.runItems(cmd, repl, in, want)
}

func (m *machine) runItems(cmd []string, repl string, in data, want bool) data {
	items := []string{string(rune(mark.Caller))}
	secret, found := m.secretItem(in.text)
	_, numbers := m.processesOf(in.text)
	switch {
	case in.tty:
	case numbers:
		items[0] = strings.TrimSpace(in.text)
	case found:
		items[0] = secret
	case mark.Has(in.text):
		if list, ok := listedNames(in.text); ok && repl == "" {
			items = list
		} else {
			items[0] = worst(in.text)
		}
	default:
		var ok bool
		if items, ok = splitQuoted(in.text); !ok || len(items) > 64 {
			items = []string{unknown.text}
		}
	}
	run := append([]string(nil), cmd...)
	if repl == "" {
		return m.run(append(run, items...), data{tty: true}, want)
	}
	item := ""
	if len(items) > 0 {
		item = items[0]
	}
	if len(items) > 1 {
		item = joinAll(items)
	}
	if line, ok := m.putIn(run, repl, item); ok {
		defer m.restore(m.save())
		m.assign(itemName, item)
		return m.run(line, data{tty: true}, want)
	}
	for i := range run {
		run[i] = strings.ReplaceAll(run[i], repl, item)
	}
	return m.run(run, data{tty: true}, want)
}

// parallelOptions are those of GNU parallel(1) that say how items become
// commands; all others ask. It reads options in the manner of Perl's Getopt::Long.
var parallelOptions = getopt{
	valued: "jPnNLICdaEs", first: true,
	longs: "arg-file= bar colsep= delay= delimiter= dry-run dryrun eta group halt= jobs= keep-order line-buffer linebuffer link max-args= max-lines= max-procs= nice= no-notice no-run-if-empty null pipe progress quiet quote retries= silent tag tagstring= timeout= ungroup verbose will-cite xapply xargs",
}

// parallel runs GNU parallel: a command with items after ::: or from standard
// input. Its command goes through a shell; without one, each item is a line.
func (m *machine) parallel(args []string, in data, want bool) data {
	m.spawn(effect.OpRun, "parallel")
	opts, words := parallelOptions.read(args)
	for _, o := range opts {
		switch {
		case o.name == "a" || o.name == "arg-file":
			in = m.readStdin(o.value)
		case len(o.name) > 1 && o.name[0] != '-', o.name != "" && strings.Contains("0kmqrtuvXjPnNLICdEs", o.name):
		default: // other machines, other places, files that are written
			m.escape("parallel " + o.word)
		}
	}
	var cmd []string
	for i, w := range words {
		if strings.HasPrefix(w, ":::") {
			in = m.parallelItems(words[i:])
			break
		}
		cmd = append(cmd, w)
	}
	if len(cmd) == 0 {
		return m.runStdin(in, nil)
	}
	if len(cmd) == 1 && strings.ContainsAny(cmd[0], " ;|&$`<>") {
		if strings.Contains(cmd[0], "{") {
			m.source(strings.ReplaceAll(cmd[0], "{}", "./found-file"), unknown)
		} else {
			m.source(cmd[0], unknown)
		}
		if in.known() {
			return unknown
		}
		if strings.Contains(in.text, unknown.text) || in.tty {
			m.opaque(effect.OpComputed, "parallel on computed items")
		}
		return unknown
	}
	repl := ""
	for _, c := range cmd {
		if strings.Contains(c, "{}") {
			repl = "{}"
		}
	}
	return m.runItems(cmd, repl, in, want)
}

// parallelItems are the words after :::, or what the files named after :::: hold.
func (m *machine) parallelItems(words []string) data {
	var items []string
	files, computed := false, false
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, ":::"):
			files = strings.HasPrefix(w, "::::")
		case files:
			m.read(w)
			computed = true
		default:
			items = append(items, w)
		}
	}
	if computed {
		return unknown
	}
	return data{text: strings.Join(items, "\n")}
}

// fdOptions are those of fd(1).
var fdOptions = getopt{
	valued: "etEdScjoxXC",
	longs:  "and= base-directory= batch-size= changed-before= changed-within= color= exact-depth= exclude= exec= exec-batch= extension= format= gen-completions= ignore-file= max-depth= max-results= min-depth= owner= path-separator= search-path= size= threads= type=",
}

// fd runs fd(1): a pattern, roots, and -x or -X with a command to the end.
func (m *machine) fd(args []string, want bool) data {
	m.spawn(effect.OpRun, "fd")
	start, cwd := len(m.effects), m.cwd
	defer func() { m.cwd = cwd }()
	var words, roots, command []string
	extension := ""
	for i := 0; i < len(args) && command == nil; i++ {
		a := args[i]
		if a == "--" {
			words = append(words, args[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			words = append(words, a)
			continue
		}
		opts, used := fdOptions.word(a, args[i+1:])
		if used == 1 && !strings.HasPrefix(args[i+1], "-") { // fd takes no option for a value
			i++
		}
		for _, o := range opts {
			switch o.name {
			case "x", "X", "exec", "exec-batch":
				command = append(append([]string{o.value}, args[i+1:]...), "{}")
			case "C", "base-directory":
				m.list(o.value)
				m.cwd = m.p.Resolve(m.cwd, o.value)
			case "e", "extension":
				extension = o.value
			case "search-path":
				roots = append(roots, o.value)
			case "":
				m.opaque(effect.OpComputed, "computed option of fd")
			}
		}
	}
	roots = append(roots, words[min(1, len(words)):]...) // the first word is the pattern
	if len(roots) == 0 {
		roots = append(roots, ".")
	}
	for _, r := range roots {
		m.path(effect.List, effect.OpSearch, r)
	}
	secret := ""
	for _, pattern := range fdPatterns(words, extension, flagged(args, "g", "--glob")) {
		if aimsAtSecret(pattern) {
			secret = m.secretBelow(roots[0], pattern)
		}
	}
	if command != nil {
		m.findExec(command, roots, m.listing(start), "", secret)
		return unknown
	}
	if !want {
		return data{}
	}
	if secret != "" {
		return data{text: secret}
	}
	return data{text: m.listing(start)}
}

// fdPatterns are patterns of names that fd(1) looks for: a regular expression that
// matches a name or a part of it, a pattern with -g, and an ending.
func fdPatterns(words []string, extension string, glob bool) []string {
	any := string(rune(mark.Star))
	if extension != "" {
		extension = any + "." + extension
	}
	if len(words) == 0 || words[0] == "" || words[0] == "." && !glob { // any name
		return []string{extension}
	}
	if glob {
		return []string{lastElement(patternText(words[0])) + extension}
	}
	name := regexText(words[0])
	return []string{name + extension, any + name + any + extension}
}
