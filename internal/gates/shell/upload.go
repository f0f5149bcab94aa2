package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// Roles of option values that send a file which they name; each but '~' says
// that data goes out. The syntax is curl(1)'s and wget(1)'s.
//
//	@ data, or @FILE     = [NAME]=DATA, or [NAME]@FILE     % form field NAME=@FILE or NAME=<FILE
//	< FILE               ^ header, or @FILE                ~ cookies NAME=VALUE, or FILE
const uploadRoles = "@=%<^~"

// readsOnly says whether an HTTP method is safe in the sense of RFC 9110,
// section 9.2.1, or WebDAV's PROPFIND (RFC 4918).
func readsOnly(method string) bool {
	switch strings.ToUpper(method) {
	case "GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND":
		return true
	}
	return false
}

// upload reads the file that an option's value sends. A value whose beginning is
// not known may name any file.
func (r *toolRun) upload(role byte, value string) {
	file, named := value, value != "" && value[0] == mark.Unknown
	switch role {
	case '@', '^':
		if rest, ok := cutPrefix(value, "@"); ok {
			file, named = rest, true
		}
	case '=':
		if i := strings.IndexAny(value, "=@"); i >= 0 {
			named = value[i] == '@'
			file = value[i+1:]
		}
	case '%':
		r.form(value)
		named = false
	case '<':
		r.uploaded(value)
		named = false
	case '~':
		named = !strings.Contains(value, "=")
	}
	if role != '~' && (role != '^' || named) {
		r.sends = true
	}
	if named {
		r.m.read(file)
	}
}

// form reads a form field: several files stand behind commas, and each may be
// followed by ;type=, ;filename= or ;headers=@FILE.
func (r *toolRun) form(field string) {
	_, value, ok := cutAt(field, "=")
	if !ok || value == "" {
		return
	}
	if _, headers, more := cutAt(value, ";headers="); more && headers != "" && firstByte("@<", headers[0]) >= 0 {
		r.m.read(strings.Trim(headers[1:], `"`))
	}
	switch {
	case value[0] == mark.Unknown:
		r.m.read(value)
	case value[0] == '@' || value[0] == '<':
		for _, part := range strings.Split(value[1:], ",") {
			name, _, _ := cutAt(part, ";")
			r.m.read(strings.Trim(name, `"`))
		}
	}
}

// uploaded reads what -T names: curl expands {a,b} itself, and a dot is the input.
func (r *toolRun) uploaded(value string) {
	before, rest, ok := cutAt(value, "{")
	list, after, closed := cutAt(rest, "}")
	switch {
	case value == ".":
	case ok && closed:
		for _, name := range strings.Split(list, ",") {
			r.m.read(before + name + after)
		}
	default:
		r.m.read(value)
	}
}

// authOptions are words in the names of options whose file proves who sends and
// is not itself sent.
var authOptions = [...]string{"key-file", "key_file", "cred", "cert", "config", "identity", "password", "account-file", "session"}

// sentFiles reads the local files among the words of a program that sends: a
// path that may leave the workspace, and a secret by any name. A word after the
// far side is where a copy of that goes, and is written.
func (r *toolRun) sentFiles(args []string, in data) {
	if !r.t.has(traitSendsFiles) {
		return
	}
	remote, auth := false, false
	for _, a := range args {
		option := strings.HasPrefix(a, "-")
		name, value, has := cutAt(a, "=")
		switch {
		case option && has:
			if !r.proves(name) {
				r.sentWord(value, false)
			}
		case option && len(a) > 2 && a[1] != '-' && !r.proves(a[:2]):
			r.sentWord(a[2:], false)
		case option || auth:
		case r.interfaced() && len(r.operands) > 0 && a == r.operands[0]: // an address and no file (gh-api(1))
		default:
			remote = r.sentWord(a, remote) || remote
		}
		auth = option && !has && r.proves(a)
		if strings.ContainsAny(a, " \n") {
			r.putLines(a)
		}
	}
	r.putLines(in.text)
}

// proves says whether an option's file only proves who sends: by its role, or by
// its name.
func (r *toolRun) proves(option string) bool {
	if len(option) == 2 {
		_, role, _ := findOpt(r.t.opts, option[1:], false)
		return role == roleKey
	}
	for _, w := range authOptions {
		if strings.Contains(option, w) {
			return true
		}
	}
	return false
}

// sentWord reads the file that a word names and says whether the word is the far
// side instead.
func (r *toolRun) sentWord(word string, copied bool) (remote bool) {
	file, explicit := fileIn(word)
	switch i := firstByte(file, ':'); {
	case explicit:
	case strings.Contains(file, "://"), i > 0 && !strings.Contains(file[:i], "/"):
		return true
	}
	if !explicit && r.t.has(traitOfAccount) {
		return false // names of what is there may look like paths
	}
	full := r.m.p.Resolve(r.m.cwd, file)
	_, secret, _ := r.m.p.Where(full)
	path := reachesOut(file) || strings.ContainsAny(file, "./_")
	switch {
	case file == "" || !explicit && !reachesOut(file) && !(secret && path):
	case copied && !explicit:
		r.m.write(file, effect.OpCreate)
	default:
		r.m.read(file)
	}
	return false
}

// fileIn takes the file out of a word that says that it names one: file://PATH
// (aws), NAME=@PATH and NAME@PATH (httpie, gh), FILE:PATH (socat).
func fileIn(word string) (file string, explicit bool) {
	for _, p := range [...]string{"file://", "fileb://", "FILE:", "OPEN:", "file:", "open:", "@"} {
		if rest, ok := cutPrefix(word, p); ok {
			rest, _, _ = cutAt(rest, ",")
			return rest, true
		}
	}
	i := strings.IndexAny(word, ":=@")
	if i <= 0 || strings.HasPrefix(word[i:], "://") {
		return word, false
	}
	for _, sep := range [...]string{":=@", "==@", "=@", ":@"} {
		if rest, ok := cutPrefix(word[i:], sep); ok {
			return rest, true
		}
	}
	if rest, ok := cutPrefix(word[i:], "@"); ok && !strings.Contains(word[:i], "/") && !strings.Contains(rest, ":") && (reachesOut(rest) || strings.HasPrefix(rest, ".")) {
		rest, _, _ = cutAt(rest, ";")
		return rest, true
	}
	return word, false
}

// putLines reads the files that commands of sftp, ftp and lftp put on the far
// side.
func (r *toolRun) putLines(text string) {
	for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == ';' }) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "put", "mput", "reput", "send", "append":
			for _, w := range words[1:] {
				if !strings.HasPrefix(w, "-") {
					r.m.read(strings.Trim(w, `"'`))
				}
			}
		}
	}
}

// writesOut is for a text that a client prints when it is done (curl(1), -w): %output{FILE} in it
// sends the rest to a file, @FILE is a file that holds it. A text that is not known may be either.
func (r *toolRun) writesOut(text string) {
	m := r.m
	if file, ok := cutPrefix(text, "@"); ok && file != "-" {
		held, known := m.sourceText(file)
		m.read(file)
		if text = held; !known {
			if m.p.TextOf != nil {
				text, known = m.p.TextOf(m.p.Resolve(m.cwd, file))
			}
			if !known {
				m.escape(m.prog + " -w @" + file)
				return
			}
		}
	} else if ok || text != "" && (text[0] == mark.Unknown || text[0] == mark.Caller) {
		m.escape(m.prog + " -w " + text)
		return
	}
	for {
		_, rest, more := cutAt(text, "%output{")
		if !more {
			return
		}
		var file string
		file, text, _ = cutAt(rest, "}")
		m.write(trimPrefix(file, ">>"), effect.OpModify)
	}
}
