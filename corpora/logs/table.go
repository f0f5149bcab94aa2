package logs

// table is the layouts whose records are JSON objects, the most particular
// first. It is built for every Input, because its functions read the table
// themselves and Go allows no package-level cycle.
func table() []layout {
	list := []layout{
		agentdojoLayout(),
		openhandsOutputLayout(),
		openhandsEventLayout(),
		sweagentLayout(),
		taubenchLayout(),
		intercodeLayout(),
		intercodeHumanLayout(),
		sweagentDemoLayout(),
		toolemuLayout(),
		agentspecCodeLayout(),
		agentspecEmbodiedLayout(),
		rjudgeLayout(),
		dojoLunaLayout(),
		inspectLayout(),
		whowhenLayout(),
		terminalBenchLayout(),
		miniLayout(),
		codexLayout(),
		claudeLayout(),
		piLayout(),
		codexFlatLayout(),
		chatRecordLayout(),
		chatMessageLayout(),
	}
	return append(list, skipLayouts()...)
}
