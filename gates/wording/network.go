package wording

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// connects words what goes over the network.
func (s *subject) connects() []clause {
	var out []clause
	for _, e := range s.effects {
		for _, x := range append(s.sent(e), s.others(e)...) {
			x.base = x.what
			if s.rule != "egress/send" && s.rule != "egress/fetch" && !s.checksOut(e) {
				x.instead = ""
			}
			x.what += s.suspect(e)
			out = append(out, x)
		}
	}
	return unique(out)
}

// others says in general what a program connects to more often than the commands tell that
// are known.
func (s *subject) others(e *gates.Effect) []clause {
	if e.Deed != "" {
		return nil
	}
	told := len(s.facts(e))
	n := 0
	for _, o := range s.effects {
		if o.Program == e.Program && o.Op == e.Op && o.Named == e.Named && o.Resource == e.Resource && s.runOf(o) == s.runOf(e) {
			n++
		}
	}
	if told == 0 || n <= told {
		return nil
	}
	return []clause{s.plainly(e)}
}

// checksOut says whether a connection puts a pull request into the work tree.
func (s *subject) checksOut(e *gates.Effect) bool {
	return s.c != nil && slices.ContainsFunc(s.c.Turned(s.indexOf(e)), func(t [3]string) bool { return t[0] == "code" })
}

// suspect says what a rule about flows adds to a connection.
func (s *subject) suspect(e *gates.Effect) string {
	switch s.rule {
	case "flow/exfiltration":
		return ", after secrets were read: they can be in what is sent"
	case "flow/secret":
		return ", after " + s.secretRead() + " in this session"
	case "flow/turned":
		if s.checksOut(e) {
			return "" // what is done says so
		}
		return ", " + s.changes(e)
	case "flow/remote-shell":
		return ", with a shell of this machine at the other end"
	case "content/unasked":
		return ", and the policy's own check of contents has not seen it"
	}
	if s.c != nil && s.c.LeadsTo(e) != "" {
		return ", which " + s.c.LeadsTo(e) + " of this session leads to another machine"
	}
	if e.Op == effect.OpSend && s.c != nil && slices.Contains(s.c.Content, "credentials") {
		return "; there is something like a password or a key in this call"
	}
	return ""
}

// secretRead says which secret the session read last, where its short history tells it.
func (s *subject) secretRead() string {
	if s.c != nil {
		for _, r := range slices.Backward(s.c.History) {
			if r.Kind == effect.Read && r.Resource != "" && r.Resource != unknown {
				return where(s.c, r.Resource) + " was read"
			}
		}
	}
	return "secrets were read"
}

// sent words one connection.
func (s *subject) sent(e *gates.Effect) []clause {
	if e.Deed != "" {
		return s.deed(e)
	}
	switch e.Op {
	case effect.OpListen:
		if facts := s.facts(e); len(facts) > 0 {
			return facts
		}
		return []clause{{what: "waits for connections" + onPort(e) + by(e), note: "; whoever reaches this machine can connect until it is stopped", weight: 2}}
	case effect.OpProbe:
		if x, ok := s.askedServer(e); ok {
			return []clause{x}
		}
		return []clause{{what: "asks the network about " + s.destination(e) + by(e), note: "; nothing of yours is sent"}}
	case effect.OpFetch:
		if facts := s.facts(e); len(facts) > 0 {
			return facts
		}
		return []clause{s.fetched(e)}
	case effect.OpSend:
		if to := s.recipients(); to != "" {
			return []clause{{what: "sends a message to " + to + by(e), note: "; what has been sent cannot be called back", weight: 3}}
		}
	}
	if x, ok := s.statementBeside(e); ok {
		return []clause{x}
	}
	if facts := s.facts(e); len(facts) > 0 {
		return facts
	}
	says := s.suggests(e)
	if told := says.m != nil && says.m.sends && (s.spelledPlace(e) != "" || s.sends(e) != ""); e.Op == effect.OpSend && e.Resource == e.Program && says.m != nil && says.m.weight >= optionWeight && !told {
		if x, ok := says.byName(s.shownBy(e, says), ""); ok {
			return []clause{x}
		}
	}
	return []clause{s.plainly(e)}
}

// askedServer words what a name server that the call names is asked: both words are of one
// question.
func (s *subject) askedServer(e *gates.Effect) (clause, bool) {
	r := s.runOf(e)
	if r == nil || !slices.Contains([]string{"dig", "drill", "host", "kdig", "nslookup"}, e.Program) {
		return clause{}, false
	}
	server, about := "", ""
	for _, w := range r.Names {
		switch at, ok := strings.CutPrefix(w, "@"); {
		case ok:
			server = at
		case strings.HasPrefix(w, "+") || strings.ToUpper(w) == w && strings.Trim(w, "0123456789.:") != "": // a type of record
		case about == "":
			about = w
		case server == "" && (e.Program == "host" || e.Program == "nslookup"):
			server = w
		}
	}
	if server == "" || about == "" || strings.Contains(server+about, unknown) || secret(server) || secret(about) {
		return clause{}, false
	}
	return clause{what: "asks the name server " + name(server) + " about " + name(about) + by(e), note: "; nothing else of yours is sent"}, true
}

func (s *subject) plainly(e *gates.Effect) clause {
	switch e.Op {
	case effect.OpFetch:
		return s.fetched(e)
	case effect.OpConnect:
		if s.onlyAsks(e) {
			return clause{what: "asks the database at " + s.destination(e) + by(e) + ", by a statement that only reads", note: "; the model sees what it answers", weight: 2}
		}
		return clause{what: "connects to " + s.destination(e) + by(e) + " and can read and change things there", note: "; what is done there may be for good", weight: 3}
	}
	if says := s.suggests(e); e.Op == effect.OpSend && says.query != "" {
		return clause{what: "sends a statement that can change or delete data (" + says.query + ") to " + s.destination(e) + by(e), note: noUndo, weight: 6, instead: "Say which data this changes, and ask for it."}
	}
	switch s.method(e) {
	case "DELETE":
		return clause{what: "deletes " + s.destination(e) + by(e) + " (DELETE)", note: noUndo, weight: 6, instead: "Say what is there and who uses it, and ask for it."}
	case "PUT", "PATCH":
		return clause{what: "writes or changes " + s.destination(e) + by(e) + " (" + s.method(e) + ")", note: "; what was there may be replaced", weight: 4}
	}
	if code, ok := strings.CutPrefix(e.Resource, "code that "); ok {
		return clause{what: "runs code that " + strings.Trim(name(code), "“”") + ", which can connect to wherever it wants", note: able, weight: 3}
	}
	return clause{what: "sends " + or(s.sends(e), "data") + " to " + s.destination(e) + by(e), note: "; what has been sent cannot be called back", weight: 3}
}

// onlyAsks says whether a client of a database is handed a statement of which nothing is in
// question: it only reads (the manuals of these clients).
func (s *subject) onlyAsks(e *gates.Effect) bool {
	r := s.runOf(e)
	if r == nil || !slices.Contains([]string{"mariadb", "mysql", "psql"}, e.Program) || slices.ContainsFunc(s.beside(e), func(o *gates.Effect) bool { return o.Kind == effect.Spawn && o.Op != effect.OpRun }) {
		return false
	}
	_, given := (&command{words: r.Words[1:]}).option("-c", "--command", "-e", "--execute")
	return given
}

// method is the method of a request that the words of a client of HTTP name (curl(1), wget(1),
// HTTPie's manual).
func (s *subject) method(e *gates.Effect) string {
	r := s.runOf(e)
	if r == nil || e.Net.Domain+e.Net.IP == "" {
		return ""
	}
	switch e.Program {
	case "curl":
		m, _ := (&command{words: r.Words[1:]}).option("-X", "--request")
		return strings.ToUpper(m)
	case "wget", "wget2":
		m, _ := (&command{words: r.Words[1:]}).option("--method")
		return strings.ToUpper(m)
	case "http", "https", "xh":
		for _, w := range r.Words[1:] {
			if w == "DELETE" || w == "PUT" || w == "PATCH" {
				return w
			}
		}
	}
	return ""
}

// sends are the files that the run of a connection reads; empty where none is known.
func (s *subject) sends(e *gates.Effect) string {
	var files []*gates.Effect
	for _, f := range s.beside(e) {
		if f.Kind == effect.Read && path.IsAbs(f.Resource) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return ""
	}
	return s.files(files)
}

// recipients are who gets what a tool sends, if the call says so.
func (s *subject) recipients() string {
	if s.c == nil || s.c.Command != "" {
		return ""
	}
	var out []string
	for i := range s.c.Args {
		if a := &s.c.Args[i]; a.Role == effect.RoleRecipient.String() && a.Value != "" {
			out = append(out, name(a.Value))
		}
	}
	return join(out)
}

func (s *subject) fetched(e *gates.Effect) clause {
	x := clause{what: "downloads from " + s.destination(e) + by(e), note: "; sends a request and no files"}
	if s.onlyNamed(e, fetching) {
		return clause{what: "names " + s.destination(e) + " in its code, and may connect there" + by(e), note: "; it may send what the code holds or reads"}
	}
	_, query, ok := strings.Cut(e.Resource, "?")
	if gates.CarriesKey(e.Resource) {
		x.note = "; the address carries what looks like a key, a password or encoded data with it"
		x.weight, x.instead = 5, "Leave that out of the address, or say what it is and who gets it, and ask for this request."
	} else if ok && len(query) > shortQuery {
		x.note = "; the address carries " + count(len(query), "character") + " of data with it"
		x.weight = 1
	}
	return x
}

// shortQuery is how long the part of an address behind ? may be to go without saying.
const shortQuery = 64

// destination is where a connection goes: a host and what can be shown of the path, or
// the remote of a repository with its address.
func (s *subject) destination(e *gates.Effect) string {
	if host := e.Net.Domain + e.Net.IP; host != "" {
		return name(host) + port(e) + urlPath(e.Resource)
	}
	switch r := e.Resource; {
	case e.Named && r != e.Program:
		return name(r) + s.remotes(e)
	case e.Named:
		return s.repository("its usual remote")
	case r == "" || r == e.Program || strings.Contains(r, unknown) || strings.HasPrefix(r, e.Program+" "):
		return or(s.spelledPlace(e), "an address that gbt cannot tell")
	case strings.HasPrefix(r, "code that "):
		return "wherever it wants, by " + name(r)
	default:
		return name(withoutLogin(r))
	}
}

// placeWord is a word that names a place of a service, REMOTE:PATH, or somebody's address.
var placeWord = regexp.MustCompile(`^(?:[A-Za-z0-9_-]+:[A-Za-z0-9_][A-Za-z0-9._/-]*|[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+\.[a-z]+)$`)

// spelledPlace is the one place that the run of a connection names as its last word but in no form that
// the guard reads; empty for none.
func (s *subject) spelledPlace(e *gates.Effect) string {
	r := s.runOf(e)
	if r == nil || len(r.Words) < 2 {
		return ""
	}
	w := r.Words[len(r.Words)-1]
	if hosts := hostsIn(w); len(hosts) == 1 && strings.Contains(w, "://") {
		return name(hosts[0])
	}
	if !placeWord.MatchString(w) || secret(w) || strings.HasPrefix(r.Words[len(r.Words)-2], "-") && !strings.Contains(w, "@") {
		return ""
	}
	return name(w)
}

func orIt(program string) string {
	if program == "" {
		return "the program"
	}
	return name(program)
}

// remotes is the address of the one remote that the workspace has.
func (s *subject) remotes(e *gates.Effect) string {
	if list := s.known(); len(list) == 1 && e.Resource == "origin" {
		return " (" + list[0] + ")"
	}
	return ""
}

// repository is the repository that the workspace's configuration names, or other words
// where it names none or several.
func (s *subject) repository(other string) string {
	if list := s.known(); len(list) == 1 {
		return list[0]
	}
	return other
}

func (s *subject) known() []string {
	if s.c == nil {
		return nil
	}
	var out []string
	for _, r := range s.c.Remotes() {
		if r = name(r); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// by names the program that connects.
func by(e *gates.Effect) string {
	if e.Program == "" {
		return ""
	}
	return " with " + name(e.Program)
}

func port(e *gates.Effect) string {
	usual := map[string]uint16{"https": 443, "http": 80, "ssh": 22, "": 0, "ftp": 21, "git": 9418, "rsync": 873}
	if want, ok := usual[e.Net.Scheme]; e.Net.Port == 0 || ok && want == e.Net.Port {
		return ""
	}
	return ":" + decimal(e.Net.Port)
}

func onPort(e *gates.Effect) string {
	if e.Net.Port == 0 {
		return ""
	}
	return " on port " + decimal(e.Net.Port)
}

// urlPath is the path of an address, if nothing in it may be a secret.
func urlPath(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return ""
	}
	p := rest[i:]
	if end := strings.IndexAny(p, "?#"); end >= 0 {
		p = p[:end]
	}
	if p == "/" {
		return ""
	}
	if p = clean(p); secret(p) {
		return "/" + unknown
	}
	return middle(p, maxObject/2)
}

// withoutLogin leaves out who logs in: user:password@host.
func withoutLogin(s string) string {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	host, rest, _ := strings.Cut(s, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if rest != "" {
		host += "/" + rest
	}
	return host
}
