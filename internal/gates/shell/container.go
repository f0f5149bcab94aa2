package shell

import "github.com/gbt-policy/gbt/gates/effect"

// containerRunners run a command in a container: one of the workspace's own services, or
// one that is there already. What its services may reach is judged where they are written
// and started.
var containerRunners = [...]string{"docker compose exec", "docker compose run", "docker exec", "docker-compose exec", "docker-compose run"}

// inContainer judges a command that runs in a container. What would pass in the workspace
// passes there, and so does reading a file that no name says to be secret: it is a copy
// in the container. Of anything else it is not known which files and which machine it
// means, so that it is a change of the container.
func (m *machine) inContainer(argv []string, in data, want bool) data {
	start, files, runs := len(m.effects), len(m.files), len(m.runs)
	m.run(argv, in, want)
	for i := runs; i < len(m.runs); i++ {
		m.runs[i].Contained = true
	}
	for i := files; i < len(m.files); i++ { // which of the files here it is, if any, nobody knows
		m.files[i].known, m.files[i].text, m.files[i].made.known, m.files[i].tail = false, unknown.text, false, ""
	}
	for i := min(start, len(m.effects)); i < len(m.effects); i++ {
		e := &m.effects[i]
		if harmless(e) && (e.Kind == effect.Read || e.Kind == effect.List) && e.Zone == effect.ZoneOutside {
			e.Zone = effect.ZonePublic // everybody's who may run something there
		}
		if !harmless(e) {
			m.effects, m.files = m.effects[:start], m.files[:files]
			m.disown(start)
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpContainer, Resource: m.prog})
			break
		}
	}
	return unknown
}

// harmless says whether an effect is one that nobody is asked about in a workspace, or
// in a container.
func harmless(e *effect.Effect) bool {
	local := e.Zone == effect.ZoneWorkspace || e.Zone == effect.ZoneTemp || e.Zone == effect.ZoneStream
	switch e.Kind {
	case effect.Read, effect.List:
		return !e.Sensitive && (local || e.Zone == effect.ZoneOutside || e.Zone == effect.ZonePublic)
	case effect.Write:
		return local && !e.Protected
	case effect.Spawn:
		return e.Op == effect.OpRun || e.Op == effect.OpBuild || e.Op == effect.OpRunCode || e.Op == effect.OpRunFile && e.Zone == effect.ZoneWorkspace
	case effect.Network:
		return e.Op != effect.OpListen && (e.Net.Domain == "localhost" || loopbackIP(e.Net.IP))
	}
	return false
}
