package call

import "github.com/gbt-policy/gbt/gates/effect"

// actionWord is a word that actions are named by, and the effect that it stands
// for: from that follows the change (effect.Doing.Delta), by the same table as
// the change of a tool's verb.
type actionWord struct {
	key   string
	doing effect.Doing
}

var (
	looks  = effect.Doing{Kind: effect.List, Op: effect.OpSearch}
	writes = effect.Doing{Kind: effect.Write, Op: effect.OpModify}
	wipes  = effect.Doing{Kind: effect.Delete, Op: effect.OpRemove}
	runs   = effect.Doing{Kind: effect.Spawn, Op: effect.OpRun}
	sends  = effect.Doing{Kind: effect.Network, Op: effect.OpSend}
	visits = effect.Doing{Kind: effect.Network, Op: effect.OpFetch}
)

// shellWords are the actions of programs in the order of their rank: of the
// programs on one command line, the action of the last in this list names the
// line. Looking around comes before changing, changing before running, running
// before what can't be undone; so a line that lists a folder, makes a script
// executable and runs it is a "run". Chosen by cross-validation by task (package
// internal/tree/merge) against taking the set of all programs, and against
// putting changes after runs.
var shellWords = [...]actionWord{
	{"noop", looks}, {"cd", looks}, {"who", looks}, {"text", looks}, {"view", looks}, {"search", looks}, {"proc", looks}, {"review", looks},
	{"perm", writes}, {"make", writes}, {"archive", writes}, {"move", writes}, {"vcs", writes}, {"net", visits}, {"pkg", writes}, {"edit", writes},
	{"crypt", runs}, {"db", runs}, {"build", runs}, {"test", runs}, {"debug", runs}, {"run", runs},
	{"user", writes}, {"service", runs}, {"kill", runs}, {"delete", wipes}, {"remote", sends},
}

// toolWords are the actions that only tools have.
var toolWords = [...]actionWord{
	{"browse", visits}, {"delegate", runs}, {"finish", looks}, {"input", runs}, {"read:web", looks}, {"think", looks},
	{"sql:select", looks}, {"sql:show", looks}, {"sql:describe", looks}, {"sql:write", writes}, {"sql:delete", wipes}, {"sql:other", runs},
}

// actionNamed is the action of a word of the tables. A test holds that all words
// asked for are there; another one would be a run.
func actionNamed(key string) Action {
	if i := rankOf(key); i < len(shellWords) {
		return Action{Key: key, Delta: shellWords[i].doing.Delta()}
	}
	for i := range toolWords {
		if toolWords[i].key == key {
			return Action{Key: key, Delta: toolWords[i].doing.Delta()}
		}
	}
	return Action{Key: "run", Delta: runs.Delta()}
}

func rankOf(key string) int {
	for i := range shellWords {
		if shellWords[i].key == key {
			return i
		}
	}
	return len(shellWords)
}
