package shell

import (
	"regexp"
	"strings"
)

// This file is about what is shown of Terraform's plans and state: the whole of either holds values that
// the configuration calls sensitive, and a filter of jq that picks addresses, types and actions alone
// leaves none of them (Terraform, JSON Output Format).

// The parts of such a filter (jq's manual). A field is one that holds no value of a resource.
const (
	jqField  = `\.(?:address|type|name|mode|provider_name|module_address|previous_address|action_reason|change\.actions(?:\[\]|\[0\])?)`
	jqText   = `"[^"\\]*"`
	jqItem   = `(?:` + jqField + `|\(?\s*` + jqField + `\s*\|\s*(?:join\(` + jqText + `\)|tostring|tojson|length)\s*\)?)`
	jqList   = `\[\s*` + jqItem + `(?:\s*,\s*` + jqItem + `)*\s*\](?:\s*\|\s*(?:@tsv|@csv|@json|tojson|join\(` + jqText + `\)))?`
	jqPrints = `"(?:[^"\\]|\\\(\s*` + jqItem + `\s*\))*"`
	jqSaid   = `(?:` + jqItem + `|` + jqList + `|` + jqPrints + `)`
	jqTexts  = `(?:` + jqText + `|\[\s*` + jqText + `(?:\s*,\s*` + jqText + `)*\s*\])`
	jqTest   = `(?:` + jqField + `\s*(?:==|!=)\s*` + jqTexts + `|\(?\s*` + jqField + `\s*\|\s*(?:index|contains|inside|startswith|endswith|test)\(` + jqTexts + `\)(?:\s*\|\s*not)?\s*\)?)`
	jqFrom   = `\.(?:resource_changes|resource_drift|planned_values\.root_module\.resources|values\.root_module\.resources)`
	jqChosen = `(?:\s*\|\s*select\(\s*` + jqTest + `(?:\s+(?:and|or)\s+` + jqTest + `)*\s*\))*`
	jqEach   = jqFrom + `\[\]\??` + `(?:` + jqField + `|` + jqChosen + `\s*\|\s*` + jqSaid + `)`
)

var plainPlan = regexp.MustCompile(`^\s*(?:` + jqEach + `|\[\s*` + jqEach + `\s*\]\s*(?:\|\s*(?:length|sort|unique|tojson|@json|sort\s*\|\s*\.\[\]|unique\s*\|\s*\.\[\])\s*)?|` + jqFrom + `\s*\|\s*length|\.(?:format_version|terraform_version))\s*$`)

// plainOfPlan says whether a run of jq shows of a plan only what holds no values.
func plainOfPlan(args []string) bool {
	filter, ok := jqFilter(args)
	return ok && plainPlan.MatchString(filter)
}

// jqFilter is the filter among the words of jq, where nothing stands beside it but how its output is
// written (jq(1)).
func jqFilter(args []string) (filter string, ok bool) {
	for _, a := range args {
		switch {
		case hasWord("-r -c -e -M -S -rc -cr --raw-output --compact-output --exit-status --monochrome-output --sort-keys", a):
		case filter == "" && !strings.HasPrefix(a, "-"):
			filter = a
		default:
			return "", false
		}
	}
	return filter, true
}

// initsLocked says whether terraform init brings in no other providers than the lock file names, which
// is as it was, as is what names the modules, and moves and asks nothing (terraform init -help).
func (m *machine) initsLocked(words []string) bool {
	for i := range m.p.Made {
		if file := m.p.Made[i].Path; strings.Contains(file, ".tf") || strings.HasSuffix(file, ".hcl") || strings.HasSuffix(file, ".tofu") {
			return false
		}
	}
	if len(m.files) > 0 || !m.givesOnly(nil) {
		return false
	}
	given := func(name, value string) bool {
		n := 0
		for _, w := range words {
			if w = strings.TrimLeft(w, "-"); w == name || strings.HasPrefix(w, name+"=") {
				if n++; w != name+"="+value {
					return false
				}
			}
		}
		return n == 1
	}
	return given("lockfile", "readonly") && given("input", "false") &&
		!hasOption(words, "-upgrade", "--upgrade", "-migrate-state", "--migrate-state", "-reconfigure", "--reconfigure", "-force-copy", "--force-copy", "-backend-config", "--backend-config", "-from-module", "--from-module", "-plugin-dir", "--plugin-dir")
}
