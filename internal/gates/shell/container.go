package shell

import "github.com/gbt-policy/gbt/gates/effect"

// inContainer judges a command that runs in a container of the workspace's own services.
// What would pass in the workspace passes there; of anything else it is not known which
// files and which machine it means, so that it is a change of the container.
func (m *machine) inContainer(argv []string, in data, want bool) data {
	start, files := len(m.effects), len(m.files)
	m.run(argv, in, want)
	for _, e := range m.effects[min(start, len(m.effects)):] {
		if !harmless(&e) {
			m.effects, m.files = m.effects[:start], m.files[:files]
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpContainer, Resource: m.prog})
			break
		}
	}
	return unknown
}

// harmless says whether an effect is one that nobody is asked about in a workspace.
func harmless(e *effect.Effect) bool {
	local := e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneStream
	switch e.Kind {
	case effect.Read, effect.List:
		return local && !e.Sensitive
	case effect.Write:
		return local && !e.Protected
	case effect.Spawn:
		return e.Op == effect.OpRun || e.Op == effect.OpBuild || e.Op == effect.OpRunCode || e.Op == effect.OpRunFile && e.Zone == effect.ZoneWorkspace
	case effect.Network:
		return e.Op != effect.OpListen && (e.Net.Domain == "localhost" || loopbackIP(e.Net.IP))
	}
	return false
}
