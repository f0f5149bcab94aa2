package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// environ records that the values of an environment are shown. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) environ(what string) {
	m.record(effect.Effect{Kind: effect.Read, Op: effect.OpEnv, Zone: effect.ZoneCaller, Sensitive: true, Resource: what})
}

// dumpEnviron records that a command prints its whole environment, where agents
// are given their keys. Its output remembers the effect, for narrow.
func (m *machine) dumpEnviron() data {
	n := len(m.effects)
	m.environ("environment")
	out := unknown
	if len(m.effects) > n && !m.turned {
		out.dump = n + 1
	}
	return out
}

// variableNames returns the names that code looks up in a table of variables,
// each written as prefix, name and a closing quote; false if it uses the table in
// any other way.
func variableNames(text, prefix string) ([]string, bool) {
	var names []string
	table := strings.TrimRight(prefix, "[\"'.")
	for {
		i := strings.Index(text, table)
		if i < 0 {
			return names, true
		}
		rest, ok := cutPrefix(text[i:], prefix)
		if !ok {
			return nil, false
		}
		n := nameLen(rest)
		names = append(names, rest[:n])
		text = rest[n:]
		if quote := prefix[len(prefix)-1]; n == 0 || quote == '"' && !strings.HasPrefix(text, "\"]") {
			return nil, false
		}
	}
}

func secretAmong(list []string) bool {
	for _, n := range list {
		if names.SecretVariable(n) {
			return true
		}
	}
	return false
}

// jqEnviron records what a jq filter shows of the environment: $ENV and env,
// whole or by the name of a variable (jq manual, "$ENV, env").
func (m *machine) jqEnviron(filter string) {
	names, ok := variableNames(filter, "$ENV.")
	if !ok || secretAmong(names) {
		m.environ("$ENV")
		return
	}
	nested := strings.Contains(filter, "\\(") || strings.Contains(filter, "#") // where a text ends is then not known
	for i := 0; i < len(filter); {
		switch {
		case filter[i] == '"' && !nested:
			_, n := quotedString(filter[i:], '"')
			i += n
		case isNameByte(filter[i]):
			n := nameLen(filter[i:])
			if filter[i:i+n] == "env" && (i == 0 || filter[i-1] != '.' && filter[i-1] != '$') && !strings.HasPrefix(strings.TrimLeft(filter[i+n:], " "), ":") && !jqVariable(filter[i+n:]) {
				m.environ("env")
			}
			i += n
		default:
			i++
		}
	}
}

// plainVariables are variables of the environment that hold no secret by what they are for
// (environ(7), locale(7)).
const plainVariables = "HOME USER LOGNAME PATH PWD OLDPWD SHELL LANG LC_ALL TERM TMPDIR TZ EDITOR PAGER HOSTNAME CI"

// jqVariable says whether a filter of jq goes on with the name of one of these.
func jqVariable(rest string) bool {
	name, ok := cutPrefix(rest, ".")
	n := nameLen(name)
	return ok && hasWord(plainVariables, name[:n])
}
