package shell

import "mvdan.cc/sh/v3/syntax"

// sourcedFunctions declares the functions of a file of the workspace that a shell reads as code,
// as it was before the session: what calls one is judged by what it does. The file itself runs as
// any of the workspace's.
func (m *machine) sourcedFunctions(full string) {
	if m.p.SettledText == nil || !m.settled(full) {
		return
	}
	text := m.p.SettledText(full)
	if text == "" || len(text) > maxSource {
		return
	}
	l := Parse(text)
	if l.file == nil || l.err != nil {
		return
	}
	for _, s := range l.file.Stmts {
		if f, ok := s.Cmd.(*syntax.FuncDecl); ok && f.Body != nil && f.Name != nil && len(m.funcs) < maxVars {
			m.funcs = append(m.funcs, function{name: f.Name.Value, body: f.Body, used: true}) // one that nothing calls does nothing
		}
	}
}
