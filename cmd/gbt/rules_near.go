package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/rules"
)

// nearRule tries a rule on calls that lie near it, in the project, and says which of them
// it lets pass that are asked about without it, and which are not let pass.
func nearRule(r *rules.Rule, root string) (passes, stays []string) {
	f := &rules.File{Rules: []rules.Rule{*r}}
	with, without := &gates.Checker{Rules: rules.NewSet(f)}, &gates.Checker{}
	passes, stays = []string{}, []string{}
	for _, line := range nearLines(r.What()) {
		asked, got := decideNear(without, line, root), decideNear(with, line, root)
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

func decideNear(k *gates.Checker, line, root string) gates.Disposition {
	args, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		return gates.Rejected
	}
	home, _ := os.UserHomeDir()
	c := k.Context(gates.Request{Tool: "bash", Args: args}, gates.State{Cwd: root, Roots: []string{root}, Home: home, UID: -1, GID: -1})
	d := k.Check(&c, nil)
	return d.Disposition
}
