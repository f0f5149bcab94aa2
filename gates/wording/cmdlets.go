package wording

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// This file words cmdlets of PowerShell that no table has.

// unknownCmdlet is said behind one.
const unknownCmdlet = ", a cmdlet that gbt does not know"

// cmdletName is a verb and a noun (Microsoft, Approved Verbs for PowerShell Commands).
var cmdletName = regexp.MustCompile(`(?i)^(?:add|clear|close|compare|convert|convertfrom|convertto|copy|disable|disconnect|dismount|enable|enter|exit|expand|export|find|format|get|grant|hide|import|initialize|install|invoke|join|limit|lock|measure|merge|mount|move|new|open|optimize|out|pop|publish|push|read|receive|register|remove|rename|repair|request|reset|resize|resolve|restart|restore|resume|revoke|save|search|select|send|set|show|skip|split|start|step|stop|submit|suspend|switch|sync|test|trace|unblock|undo|uninstall|unlock|unprotect|unpublish|unregister|update|use|wait|watch|write)-[a-z]+$`)

// titled is how such names are mostly written, and names of other programs are not.
var titled = regexp.MustCompile(`\b[A-Z][A-Za-z]+-[A-Z][A-Za-z]*`)

// stranger is what is said of a program that has no table, which may be a cmdlet.
func (s *subject) stranger(e *gates.Effect) string {
	if cmdletName.MatchString(e.Resource) && s.c != nil && (strings.EqualFold(s.c.Tool, "powershell") || slices.ContainsFunc(titled.FindAllString(s.c.Command, -1), func(n string) bool { return strings.EqualFold(n, e.Resource) })) {
		return unknownCmdlet
	}
	return unknownProgram
}

// registryReads are the cmdlets that show what stands in the registry, with the place that they are told
// first (about_Registry_Provider).
var registryReads = regexp.MustCompile(`(?i)\b(get-(?:childitem|item|itemproperty|itempropertyvalue))\s+(?:-(?:literal)?path\s+)?(?:'([^']+)'|"([^"$]+)"|([^\s'"$,;|()]+))`)

// registryPlace is a key of the registry.
var registryPlace = regexp.MustCompile(`(?i)^(?:hk(?:cu|lm):|registry::hkey_)[\\/A-Za-z0-9 ._:-]*$`)

// registryRead words such a read of a key of which nobody knows what it holds.
func (s *subject) registryRead(e *gates.Effect) (clause, bool) {
	if s.c == nil {
		return clause{}, false
	}
	for _, m := range registryReads.FindAllStringSubmatch(s.c.Command, -1) {
		if key := m[2] + m[3] + m[4]; strings.EqualFold(m[1], e.Resource) && registryPlace.MatchString(key) {
			return clause{what: "reads what stands in the registry at " + shorten(key, maxObject), note: "; that may be passwords or keys, and the model sees it", weight: 2, instead: "Name the one value that is needed (-Name), or ask for this read."}, true
		}
	}
	return clause{}, false
}
