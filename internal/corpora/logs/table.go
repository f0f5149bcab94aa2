package logs

import "slices"

// table is the layouts whose records are JSON objects, the most particular
// first. It is built for every Input, because its functions read the table
// themselves and Go allows no package-level cycle.
func table() []layout {
	list := []layout{
		gbtRunLayout(),
		agentdojoLayout(),
		agentdojoFileLayout(),
		openhandsOutputLayout(),
		openhandsEventLayout(),
		openhandsV1Layout(),
		sweagentLayout(),
		taubenchLayout(),
		intercodeLayout(),
		intercodeHumanLayout(),
		sweagentDemoLayout(),
		toolemuLayout(),
		agentspecSimulatedLayout(),
		agentspecCodeLayout(),
		agentspecEmbodiedLayout(),
		rjudgeLayout(),
		dojoLunaLayout(),
		inspectLayout(),
		whowhenLayout(),
		terminalBenchLayout(),
		miniLayout(),
		atifLayout(),
		hfLayout(),
		hfMessagesLayout(),
		otlpLayout(),
		openInferenceLayout(),
		langgraphSnapshotLayout(),
		langgraphCheckpointLayout(),
		langgraphTupleLayout(),
		langchainRecordLayout(),
		langchainMessageLayout(),
		codexLayout(),
		claudeLayout(),
		piLayout(),
		codexFlatLayout(),
		chatRecordLayout(),
		chatMessageLayout(),
	}
	return slices.Concat(list, decisionLayouts(), skipLayouts())
}
