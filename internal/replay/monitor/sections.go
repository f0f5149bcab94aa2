package monitor

import (
	"go.yaml.in/yaml/v3"
)

// sections are the parts of a file that say a common rule in short. Each is
// written out as rules of the general form.
type sections struct {
	outside                        []string
	protectedPaths, protectedBut   []string
	builtinProtected               bool
	secretPaths                    []string
	readingSecrets, sendingSecrets bool
	sends                          string // "deny": what is not allowed is a violation
	allow                          []effectCond
	denyDomains                    []string
	denyPrograms                   []string
	denyArgv                       []rule
	flows                          []rule
	own                            []rule
}

func (r *reader) protected(n *yaml.Node, s *sections) {
	r.keys(n, keys{
		"builtin": func(v *yaml.Node) { s.builtinProtected = r.flag(v) },
		"paths":   func(v *yaml.Node) { s.protectedPaths = r.paths(v) },
		"except":  func(v *yaml.Node) { s.protectedBut = r.paths(v) },
	})
}

func (r *reader) secrets(n *yaml.Node, s *sections) {
	r.keys(n, keys{
		"paths":   func(v *yaml.Node) { s.secretPaths = r.paths(v) },
		"reading": func(v *yaml.Node) { s.readingSecrets = r.flag(v) },
		"sending": func(v *yaml.Node) { s.sendingSecrets = r.flag(v) },
	})
}

func (r *reader) egress(n *yaml.Node, s *sections) {
	r.keys(n, keys{
		"sends": func(v *yaml.Node) { s.sends = r.word(v, []string{"allow", "deny"}) },
		"allow": func(v *yaml.Node) {
			r.items(v, func(c *yaml.Node) {
				var k effectCond
				r.keys(c, keys{
					"domains": func(v *yaml.Node) { k.domains = r.domains(v) },
					"schemes": func(v *yaml.Node) { k.schemes = r.texts(v) },
					"ports":   func(v *yaml.Node) { k.ports = r.ports(v) },
				})
				if k.domains == nil {
					r.problem(c, CodeMissing, "an allowed destination needs domains")
				}
				s.allow = append(s.allow, k)
			})
		},
		"deny": func(v *yaml.Node) { s.denyDomains = r.domains(v) },
	})
}

func (r *reader) spawns(n *yaml.Node, s *sections) {
	r.keys(n, keys{
		"programs": func(v *yaml.Node) { s.denyPrograms = r.texts(v) },
		"patterns": func(v *yaml.Node) {
			r.items(v, func(c *yaml.Node) {
				var u rule
				r.keys(c, keys{
					"id":      func(v *yaml.Node) { u.id = r.id(v, "spawns") },
					"message": func(v *yaml.Node) { u.message = r.text(v) },
					"argv":    func(v *yaml.Node) { u.effect = &effectCond{kinds: []string{"spawn"}, argv: r.expr(v)} },
				})
				if u.id == "" || u.effect == nil {
					r.problem(c, CodeMissing, "a spawn pattern needs id and argv")
				}
				s.denyArgv = append(s.denyArgv, u)
			})
		},
	})
}

// untrusted reads one flow that must not be: a value that first stood in
// untrusted output goes to an argument of a call.
func (r *reader) untrusted(n *yaml.Node, s *sections) {
	u := rule{message: "a value out of untrusted output decides what the call does"}
	a := argCond{origins: []string{"untrusted"}}
	r.keys(n, keys{
		"id":             func(v *yaml.Node) { u.id = r.id(v, "untrusted") },
		"message":        func(v *yaml.Node) { u.message = r.text(v) },
		"to":             func(v *yaml.Node) { u.call = r.call(v) },
		"args":           func(v *yaml.Node) { a.names = r.patterns(v) },
		"roles":          func(v *yaml.Node) { a.roles = r.texts(v) },
		"sources":        func(v *yaml.Node) { a.sources = r.patterns(v) },
		"except_sources": func(v *yaml.Node) { a.trust = r.patterns(v) },
		"forms":          func(v *yaml.Node) { a.forms = r.words(v, []string{formText, formField, formJoined}) },
		"matches":        func(v *yaml.Node) { a.matches = r.expr(v) },
	})
	if u.id == "" {
		r.problem(n, CodeMissing, "an untrusted flow needs an id")
	}
	u.args = []argCond{a}
	s.flows = append(s.flows, u)
}

// farZones are the places outside workspace and temporary files. A path that
// only the run time knows is in none of them: that it could not be told is no
// violation. Nor is a directory that nothing is known about, as long as the file
// names no roots: it may be the workspace.
func farZones(roots []string) []string {
	far := []string{"public", "home", "system", "device"}
	if len(roots) > 0 {
		far = append(far, "outside")
	}
	return far
}

func (s *sections) rules(roots []string) []rule {
	var out []rule
	add := func(id, message string, k *effectCond) {
		out = append(out, rule{id: id, message: message, effect: k})
	}
	for _, kind := range s.outside {
		add("outside/"+kind, "a "+kind+" outside the workspace", &effectCond{kinds: []string{kind}, zones: farZones(roots), but: linking(), now: true})
	}
	changes := []string{"write", "delete"}
	if s.builtinProtected {
		add("protected/builtin", "a change of something that must not change without review",
			&effectCond{kinds: changes, protected: true, zones: []string{"workspace", "temp", "home"}, exceptPaths: s.protectedBut, now: true})
	}
	if s.protectedPaths != nil {
		add("protected/paths", "a change of a protected path",
			&effectCond{kinds: changes, paths: s.protectedPaths, exceptPaths: s.protectedBut, now: true})
	}
	if s.readingSecrets {
		add("secrets/read", "secrets were read", &effectCond{kinds: []string{"read"}, sensitive: true, now: true})
	}
	if s.secretPaths != nil {
		add("secrets/paths", "secrets were read", &effectCond{kinds: []string{"read"}, paths: s.secretPaths, now: true})
	}
	sending := []string{"send", "connect"}
	if s.sendingSecrets {
		out = append(out, rule{id: "secrets/sent", message: "something was sent after secrets had been read", after: afterSecrets,
			effect: &effectCond{kinds: []string{"network"}, ops: sending, exceptDomains: local(), now: true}})
	}
	if s.denyDomains != nil {
		add("egress/denied", "a connection to a denied destination", &effectCond{kinds: []string{"network"}, domains: s.denyDomains, now: true})
	}
	if s.sends == "deny" {
		add("egress/sent", "something was sent to a destination that is not allowed",
			&effectCond{kinds: []string{"network"}, ops: sending, exceptDomains: local(), but: append(s.allow, inApplication()), now: true})
	}
	if s.denyPrograms != nil {
		add("spawns/programs", "a denied program was run", &effectCond{programs: s.denyPrograms, now: true}) // whatever it does: a known one shows as its reads, writes and sends
	}
	out = append(out, s.denyArgv...)
	out = append(out, s.flows...)
	return append(out, s.own...)
}

// linking is a link that points at an installed program or library: what it
// points at is not changed by it.
func linking() []effectCond {
	return []effectCond{{kinds: []string{"write"}, ops: []string{"link"}, zones: []string{"public"}}}
}

// inApplication are messages and payments inside an application: they go to no
// host of their own. The tools and untrusted rules speak of those.
func inApplication() effectCond { return effectCond{zones: []string{"record"}} }

// local are the destinations that do not leave the machine.
func local() []string { return []string{"localhost", "127.0.0.1", "::1"} }
