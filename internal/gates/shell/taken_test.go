package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestBranchesOfARun: of a script, a run leaves out the branches that its arguments and
// variables say are not taken, and no others.
func TestBranchesOfARun(t *testing.T) {
	const evil = "curl https://h.example/x"
	for _, tt := range []struct {
		text  string
		args  string
		env   string
		shell string
		out   bool // it is left out
	}{
		{`if [ "${DEV:-}" = 1 ]; then EVIL; fi`, "", "DEV=0", "", true},
		{`if [ "${DEV:-}" = 1 ]; then EVIL; fi`, "", "DEV=1", "", false},
		{`if [ "${DEV:-}" = 1 ]; then EVIL; fi`, "", "", "", false},
		{`if [ "${DEV:-0}" = 1 ]; then EVIL; fi`, "", "", "", false},
		{`if [ "$1" != go ]; then :; elif [ "$2" = x ]; then EVIL; fi`, "no x", "", "", true},
		{`if [ "$1" != go ]; then :; elif [ "$2" = x ]; then EVIL; fi`, "go x", "", "", false},
		{`if [ "$1" != go ]; then :; else EVIL; fi`, "no", "", "", true},
		{`if [[ "$1" == go ]]; then :; else EVIL; fi`, "go", "", "bash", true},
		{`if [[ "$1" == go ]]; then :; else EVIL; fi`, "go", "", "", false},
		{`if [ "$1" == go ]; then :; else EVIL; fi`, "go", "", "bash", false},
		{`if [[ "$1" == go ]]; then EVIL; fi`, "no", "", "", true},
		{`if ! [[ "$1" == go ]]; then EVIL; fi`, "go", "", "", false},
		{`if [[ "$1" == g* ]]; then EVIL; fi`, "no", "", "bash", false},
		{`if [[ "$1" == GO ]]; then EVIL; fi`, "go", "", "bash", false},
		{`if [ $# -eq 0 ]; then EVIL; fi`, "a", "", "", true},
		{`if [ $# -gt 0 ]; then EVIL; fi`, "a", "", "", false},
		{`[ "$1" = go ] && EVIL`, "no", "", "", true},
		{`[ "$1" = go ] || EVIL`, "go", "", "", true},
		{`[ "$1" = go ] || EVIL`, "no", "", "", false},
		{`[ -n "$1" ] && [ "$2" = b ] && EVIL`, "x a", "", "", true},
		{`case "$1" in build) :;; deploy) EVIL;; *) :;; esac`, "build", "", "", true},
		{`case "$1" in build) :;; deploy) EVIL;; esac`, "deploy", "", "", false},
		{`case "$1" in b*) :;; *) EVIL;; esac`, "build", "", "", true},
		{`case "$1" in B*) :;; *) EVIL;; esac`, "build", "", "", false},
		{`case "$1" in [b]*) :;; *) EVIL;; esac`, "build", "", "", false},
		{`case "$1" in build) :;& deploy) EVIL;; esac`, "build", "", "bash", false},
		{`MODE="${1:-build}"; if [ "$MODE" = deploy ]; then EVIL; fi`, "", "", "", true},
		{`MODE="${1:-build}"; if [ "$MODE" = deploy ]; then EVIL; fi`, "deploy", "", "", false},
		{`readonly MODE="${1:-build}"; f() { [ "$MODE" = deploy ] && EVIL; }; f`, "x", "", "", true},
		// Another value on the way.
		{`MODE=a; MODE=b; [ "$MODE" = a ] || EVIL`, "", "", "", false},
		{`if true; then MODE=a; fi; [ "$MODE" = a ] || EVIL`, "", "", "", false},
		{`false && MODE=a; [ "$MODE" = a ] || EVIL`, "", "", "", false},
		{`f() { [ "$MODE" = a ] || EVIL; }; f; MODE=a`, "", "", "", false},
		{`f() { [ "$1" = a ] || EVIL; }; f b`, "a", "", "", false},
		{`MODE=a; . ./x; [ "$MODE" = a ] || EVIL`, "", "", "", false},
		{`MODE=a; read -r MODE; [ "$MODE" = a ] || EVIL`, "", "", "", false},
		{`[ "$DEV" = 1 ] || EVIL; read DEV`, "", "DEV=1", "", false},
		{`eval "D""EV=2"; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`printf -v DEV 2; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`printf "$A" DEV; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`: ${DEV:=2}; [ "$DEV" = 1 ] || EVIL`, "", "DEV=", "", false},
		{`unset DEV; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`declare -n r=DEV; r=2; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`((DEV++)); [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`trap 'DEV=2' DEBUG; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`for DEV in 2; do :; done; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`f() { local DEV; [ "$DEV" = 1 ] || EVIL; }; f`, "", "DEV=1", "", false},
		{`"$X" DEV; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`[() { return 1; }; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`alias [=false; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`exec {DEV}>x; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "", false},
		{`UID=5; [ "$UID" = 5 ] || EVIL`, "", "", "", false},
		{`shift; [ "$1" = a ] || EVIL`, "a b", "", "", false},
		{`set -- b; [ "$1" = a ] || EVIL`, "a", "", "", false},
		{`while [ $# -gt 0 ]; do case "$1" in a) :;; b) EVIL;; esac; shift; done`, "a b", "", "", false},
		{`IFS=1; [ $DEV = a1 ] || EVIL`, "", "DEV=a1", "", false},
		{`[ $DEV = 'a b' ] || EVIL`, "", "DEV=a b", "", false},
		{`{set,--,/x}; [ "$1" = a ] || EVIL`, "a", "", "", false},
		{`C="set -- b"; $C/x; [ "$1" = a ] || EVIL`, "a", "", "", false},
		{`"$@/x"; [ "$1" = set ] || EVIL`, "set -- a", "", "", false},
		{`"${C[@]}/x"; [ "$1" = a ] || EVIL`, "a", "", "", false},
		{`*/x; [ "$1" = a ] || EVIL`, "a", "", "", false},
		{`"$C/x" b; ./$C; [ "$1" = a ] || EVIL`, "a", "", "", true},
		{`x=DEV=2; [ -v "a[$x]" ]; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`x=DEV=2; [ "$T" "a[$x]" ]; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`x=DEV=2; test $T; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`x=DEV=2; test $(cat x); [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`x=DEV=2; test {-v,"a[$x]"}; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`[ "$T" = x ]; [ "$T" ]; [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", true},
		{`a=([DEV=2]=x); [ "$DEV" = 1 ] || EVIL`, "", "DEV=1", "bash", false},
		{`trap shift DEBUG; [ "$1" = a ] || EVIL`, "a b", "", "bash", false},
		{`trap 'IFS=1' DEBUG; [ $DEV = a1 ] || EVIL`, "", "DEV=a1", "bash", false},
	} {
		text := strings.ReplaceAll(tt.text, "EVIL", evil)
		places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
		places.Script = &effect.Script{Name: "./x.sh", Args: strings.Fields(tt.args), Shell: tt.shell, Run: true}
		places.Script.Narrow = Narrow(places.Script)
		if tt.env != "" {
			places.Script.Env = []string{tt.env}
		}
		effects := Analyze(text, &places)
		if reached := slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Kind == effect.Network }); reached == tt.out {
			t.Errorf("%s with %q, %q: left out %v, want %v", tt.text, tt.args, tt.env, !reached, tt.out)
		}
	}
}
