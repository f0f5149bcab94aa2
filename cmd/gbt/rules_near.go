package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/rules"
	"github.com/gbt-policy/gbt/gates/wording"
)

// nearRule tries a rule on calls that lie near it, in the project, and says which of them
// it lets pass that are asked about without it, and which are not let pass.
func nearRule(r *rules.Rule, root string) (passes, stays []string) {
	f := &rules.File{Rules: []rules.Rule{*r}}
	with, without := &gates.Checker{Rules: rules.NewSet(f)}, &gates.Checker{}
	passes, stays = []string{}, []string{}
	for _, line := range nearLines(r.What()) {
		asked, got := decideNear(without, line, root).Disposition, decideNear(with, line, root).Disposition
		switch {
		case asked != gates.Approved && got == gates.Approved:
			passes = append(passes, line)
		case got != gates.Approved:
			stays = append(stays, line)
		}
	}
	return passes, stays
}

// nearLines are calls as a rule has them and what comes nearest: one word more, options,
// wrappers, other places, and a second command behind it.
func nearLines(kind, what string) []string {
	example := strings.ReplaceAll(what, "**", "SOME/THING")
	example = strings.ReplaceAll(example, "*", "SOMETHING")
	switch kind {
	case "read":
		return []string{"cat " + example, "cat " + example + "/.env", "rm " + example}
	case "write":
		return []string{"touch " + example, "touch " + example + "/deeper", "rm " + example}
	case "delete":
		return []string{"rm " + example, "rm -rf " + example, "rm -rf ~"}
	case "fetch", "send":
		return []string{"curl https://" + example + "/", "curl http://" + example + "/", "curl -d x=1 https://" + example + "/", "curl https://sub." + example + "/"}
	case "run":
		return []string{example, example + " anything --at all", "sudo " + example}
	case "tool":
		return nil
	}
	return []string{
		example, example + " OTHER", example + " --verbose", example + " --force", example + " --no-verify", "timeout 60 " + example, "cd sub && " + example,
		example + " \"$(cat notes)\"", "sudo " + example, example + " && curl https://other.example",
	}
}

// letsNothing says why a rule would let nothing pass, and what to do instead: where what it
// names is rejected, or one call that is asked about with the rule as it is without. A star
// and facts may make it another call.
func letsNothing(r *rules.Rule, root string, out *ruleJSON) error {
	kind, what := r.What()
	lines := nearLines(kind, what)
	if len(lines) == 0 || len(out.Passes) > 0 || strings.HasSuffix(what, " *") { // other words may make it another call
		return nil
	}
	line := lines[0]
	d := decideNear(&gates.Checker{}, line, root)
	said, _, _ := strings.Cut(d.Said, "\n")
	switch one := !strings.Contains(what, "*") && !strings.Contains(r.Text, " when "); {
	case d.Disposition == gates.Rejected:
		return fail(exitUsage, "%q would let nothing pass: %s stays rejected whatever the rules say. %s Run it yourself, if you mean it", r.Text, visible(line), said)
	case d.Disposition == gates.RevisionRequired:
		return fail(exitUsage, "%q would let nothing pass: %s has to be written in another way, whatever the rules say. %s", r.Text, visible(line), said)
	case one && kind != "fetch" && kind != "send" && !d.Connects && d.Disposition == gates.ApprovedWithConstraints && slices.Contains(out.Stays, line):
		return fail(exitUsage, "%q would let nothing pass: %s asks with it, too. %s Agree to it when it is asked about; gbt explain names the rule that answers, where there is one", r.Text, visible(line), said)
	}
	return nil
}

// near is how a line is decided, and what the person would read.
type near struct {
	gates.Disposition
	Said     string
	Connects bool // where to may hang on settings that are not there yet
}

func decideNear(k *gates.Checker, line, root string) near {
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		return near{Disposition: gates.Rejected}
	}
	home, _ := os.UserHomeDir()
	c := k.Context(gates.Request{Tool: "bash", Args: args}, gates.State{Cwd: root, Roots: []string{root}, Home: home, UID: -1, GID: -1})
	d := k.Check(&c, nil)
	return near{d.Disposition, wording.Of(&c, &d).Person, slices.ContainsFunc(c.Effects, func(e gates.Effect) bool { return e.Kind == effect.Network })}
}
