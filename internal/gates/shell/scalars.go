package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// chain records that a run sends to a network whose blocks cannot be taken back, but for
// Hardhat's own: in its process, or at this machine's port 8545.
func (r *toolRun) chain(network string) {
	r.told = true
	if network != "localhost" && network != "hardhat" {
		r.m.url(effect.OpSend, network, "")
	}
}

// scalars asks about settings of which one may name something.
func (r *toolRun) scalars(word string) {
	if !onlyScalars(word) {
		r.m.escape(r.t.name + " " + word)
	}
}

// onlyScalars says whether all settings of a word, a=1,b=false or one flat object of JSON, have
// values that can name nothing that is run, loaded or written: numbers, truth values and
// addresses of this machine.
func onlyScalars(word string) bool {
	sep := "="
	if inner, ok := cutPrefix(word, "{"); ok {
		inner, ok = cutSuffix(inner, "}")
		if !ok {
			return false
		}
		word, sep = inner, ":"
	}
	for setting := range strings.SplitSeq(word, ",") {
		name, value, ok := cutAt(setting, sep)
		if !ok || !plainName(unquoted(name)) || !scalar(unquoted(value)) {
			return false
		}
	}
	return true
}

func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

func scalar(value string) bool {
	if value == "true" || value == "false" || value == "null" {
		return true
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return true
	}
	n, ok := effect.ParseURL(value, "")
	return ok && (n.Scheme == "http" || n.Scheme == "https") && (n.Domain == "localhost" || loopbackIP(n.IP))
}
