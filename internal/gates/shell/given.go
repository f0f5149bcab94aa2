package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file is about what a builder or test runner is given by options and settings
// of which the tables say nothing. What they read steers the code that they run, so
// a file in /tmp, where anybody writes without a question, is a load there, and an
// address elsewhere is a connection.

// loadsFrom asks about a value that lies in /tmp, but for one whose name says that
// the program writes there.
func (r *toolRun) loadsFrom(name, value string) {
	if r.t.act != doesBuild || !reachesOut(value) || writesTo(name) {
		return
	}
	if z, _, _ := r.m.p.Where(r.m.p.Resolve(r.m.cwd, value)); z == effect.ZoneTemp {
		r.m.escape(strings.TrimSpace(r.t.name + " " + name + " " + value))
	}
}

// settingPlaces judges the value of a setting, or those of several with semicolons between
// them: what a builder does with a place outside the workspace is known to the project and
// its plugins alone, so it is taken for one that is written.
func (r *toolRun) settingPlaces(key, value string) {
	for part := range strings.SplitSeq(value, ";") {
		if k, v, more := cutAt(part, "="); more && part != value {
			key, part = k, v
		}
		r.loadsFrom(key, part)
		r.reaches(key, part)
		if r.t.act == doesBuild && reachesOut(part) {
			r.m.write(part, effect.OpCreate)
		}
	}
}

// reaches records a connection to the address that a value is. What is called a host's is one
// without a scheme, and behind the name of a proxy a single word is one as well (Java's
// networking properties, http.proxyHost).
func (r *toolRun) reaches(name, value string) {
	switch {
	case r.t.act != doesBuild:
	case strings.Contains(value, "://"):
		if !officialSource(value) {
			r.m.addressIn(name, value)
		}
	case strings.HasSuffix(names.Fold(name), "proxyhost") && value != "":
		if n, ok := effect.ParseURL(withoutPort(value), ""); !ok || n.Domain != "localhost" && !loopbackIP(n.IP) {
			r.m.url(effect.OpConnect, value, "")
		}
	case asksForHost(name) && !strings.Contains(name, " "): // the linker of Go puts it into the program
		r.m.addressIn(name, value)
	}
}

// secretWithin reads a secret that stands in a value behind a key (terser's --source-map
// content=FILE): a value of several parts takes files in them at many programs.
func (r *toolRun) secretWithin(value string) {
	at := firstByte(value, '=')
	if at < 0 || strings.ContainsAny(value, " \t\n") {
		return
	}
	for part := range strings.FieldsFuncSeq(value[at:], func(c rune) bool { return strings.ContainsRune("=,;:@", c) }) {
		if part[0] != '/' && part[0] != '~' {
			continue
		}
		if _, secret, _ := r.m.p.Where(r.m.p.Resolve(r.m.cwd, part)); secret {
			r.m.read(part)
		}
	}
}

// handOn judges the words behind a program that a builder builds and runs: they are that
// program's own, options and all.
func (r *toolRun) handOn(words []string) {
	r.m.givenArgs(words)
	for _, w := range words {
		r.passedOn(w)
	}
}

// role returns the role of operand number n, as far as it is known before all
// operands are: launchers decide by it where their command starts.
func (r *toolRun) role(n int) byte {
	if n == 0 && r.t.has(traitScriptArguments) {
		return roleProgram // further words are the script's
	}
	roles := r.t.operands
	if roles == "" {
		return roleNothing
	}
	if roles[0] == '!' {
		roles = roles[1:]
	}
	if roles == "" || roles[0] == '$' {
		return roleNothing
	}
	return roles[min(n, len(roles)-1)]
}

// passedOn judges a word that a builder hands on to what it builds or tests: a path
// elsewhere, alone or as the value of an option of that program (cargo run -- --out=/x).
func (r *toolRun) passedOn(word string) {
	name, value, valued := cutAt(word, "=")
	switch {
	case reachesOut(word):
		r.loadsFrom("", word)
		r.m.read(word)
	case !valued || word[0] != '-' || !reachesOut(value):
	case writesTo(name):
		r.m.write(value, effect.OpCreate)
	default:
		r.loadsFrom(name, value)
		r.m.read(value)
	}
}

// writesTo says whether the name of an option or a setting says that its value is
// written, or is a directory for what does not stay: HOME=/tmp gives a test a home
// without settings.
func writesTo(name string) bool {
	name = strings.ToLower(name)
	if name == "home" {
		return true
	}
	if strings.HasSuffix(name, "targets") { // a file of MSBuild's code
		return false
	}
	for _, w := range writingWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return strings.Contains(name, "tmp") || strings.Contains(name, "temp")
}

// givenSecrets takes a secret that a script or an unknown program is told of for
// read: nobody knows what it does with it.
func (m *machine) givenSecrets(args []string) {
	for _, a := range args {
		for _, word := range pathsIn(a) {
			if _, secret, _ := m.p.Where(m.p.Resolve(m.cwd, word)); secret {
				m.read(word)
				break
			}
		}
	}
}

// pathsIn returns what may be a path in an argument, the shortest first: what stands
// behind a name, a scheme or an @, what is attached to a letter, and all of it.
func pathsIn(arg string) []string {
	var words []string
	for _, sep := range []string{"://", "@", "="} {
		if _, after, ok := cutAt(arg, sep); ok && after != "" {
			words = append(words, after)
		}
	}
	if i := strings.IndexAny(arg, "/~."); i > 0 && arg[0] == '-' {
		words = append(words, arg[i:])
	}
	return append(words, arg)
}

// givenArgs judges the arguments of what is no listed program, a script of the
// workspace or a jar: nobody knows its options, so what they say themselves decides.
// A secret is read, a file of settings elsewhere is loaded, all addresses of the
// machine are listened at, a server elsewhere is connected to, and what is called an
// output is written.
func (m *machine) givenArgs(args []string) {
	m.givenSecrets(args)
	for i, a := range args {
		name, value, attached := cutAt(a, "=")
		switch {
		case len(a) < 2 || a[0] != '-':
			if name, value = "", a; attached && plainName(a[:firstByte(a, '=')]) {
				name, value, _ = cutAt(a, "=")
			}
		case !attached && i+1 < len(args):
			value = args[i+1]
		}
		name = strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
		switch {
		case allAddresses(a):
			m.record(effect.Effect{Kind: effect.Network, Op: effect.OpListen, Resource: show(a)})
		case name != "" && loads(strings.ToUpper(name)) && reachesOut(value) && !writesTo(lastWord(name)):
			m.settings(value)
		case name != "" && reachesOut(value) && (writesTo(name) || installsTo(name)):
			m.write(value, effect.OpCreate)
		case strings.Contains(value, "://"):
			m.addressIn(name, value)
		case name == "" && reachesOut(value) && !(i > 0 && outputOption(args[i-1])):
			if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, value)); z != effect.ZoneTemp && z != effect.ZoneWorkspace {
				m.read(value)
			}
		}
	}
}

// outputOption says whether a word is an option that the next word belongs to as a place
// that is written.
func outputOption(word string) bool {
	name := strings.ReplaceAll(strings.TrimLeft(word, "-"), "-", "_")
	return strings.HasPrefix(word, "-") && !strings.Contains(word, "=") && (writesTo(name) || installsTo(name))
}

// allAddresses says whether a word, or a part of it between colons, is the address
// that stands for all of a machine's: 0.0.0.0, and :: as a whole or in brackets.
func allAddresses(word string) bool {
	word = word[firstByte(word, '=')+1:]
	if word == "::" || strings.Contains(word, "[::]") {
		return true
	}
	if _, rest, ok := cutAt(word, "://"); ok {
		word = rest
	}
	return isAmong(strings.FieldsFunc(word, func(c rune) bool { return c == ':' || c == ',' || c == '/' }), "0.0.0.0")
}

// installedTool is the listed program that a script is by its name and its place:
// a directory where packages put their programs. Nil for all others.
func (m *machine) installedTool(full string) *tool {
	dir, base := path.Split(full)
	if z, _, _ := m.p.Where(full); z != effect.ZoneWorkspace || !strings.HasSuffix(dir, "/bin/") && !strings.HasSuffix(dir, "/.bin/") && !strings.HasSuffix(dir, "/Scripts/") {
		return nil
	}
	if strings.Contains(dir, "/node_modules/") { // node_modules/eslint/bin/eslint.js
		base = trimSuffix(base, path.Ext(base))
	}
	return lookupTool(base)
}

// runInstalled runs such a script by its interpreter: as the tool that it is by name, and
// as the file that it is, which the session may have written.
func (m *machine) runInstalled(t *tool, full, lang string, args []string, in data, want bool) data {
	z, _, _ := m.p.Where(full)
	m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(full)})
	m.otherName(full, lang)
	m.prog = t.name
	return m.tool(t, append([]string{full}, args...), in, want)
}

// documentEndings are the endings of files that hold text for people, pictures,
// archives and records: an interpreter runs them all the same, and nobody reviews
// them as programs. Endings of settings that shells source (conf, env) and of
// archives that are made to be run (pyz, phar, jar) are none of them. Sorted.
const documentEndings = "7z adoc avif bmp bz2 csv doc docx eot gif gz ico jpeg jpg json jsonl lock log markdown md mp3 mp4 odt otf parquet pdf png pptx rar rst rtf sqlite svg tar tgz tif tiff toml " +
	"tsv ttf txt wav webm webp woff woff2 xlsx xml xz yaml yml zip zst"

// ranDocument judges a file that runs as a program of a language and is none by its
// name. One that the session wrote is judged by what it holds (otherName).
func (m *machine) ranDocument(file, lang string) {
	if m.left(file).made.known && runnable(lang) {
		return
	}
	if ext := trimPrefix(path.Ext(names.Fold(baseName(file))), "."); mark.Among(documentEndings, ext) {
		m.escape("a document as a program: " + show(file))
	}
}

// quotedFields are the words of a text, of which quotation marks hold some together.
func quotedFields(s string) (out []string) {
	word, in, open := "", byte(0), false
	for i := 0; i < len(s); i++ {
		b := s[i]
		switch {
		case in == 0 && (b == '"' || b == '\''):
			in, open = b, true
		case in == b:
			in = 0
		case in == 0 && (b == ' ' || b == '\t' || b == '\n'):
			if open {
				out = append(out, word)
			}
			word, open = "", false
		default:
			word, open = word+s[i:i+1], true
		}
	}
	if open {
		out = append(out, word)
	}
	return out
}
