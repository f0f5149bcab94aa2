package powershell

import "strings"

// This file is about what cmdlets read that is no file: keys of the registry that describe the system,
// and variables of the environment by a pattern of their names.

// shownKeys are keys of the registry of which each value may be seen: what the proxy is, how the system
// looks and how long its paths are (Microsoft: Internet Settings, Maximum Path Length Limitation, .NET
// Framework versions). Those with names show these values alone.
var shownKeys = [...]struct{ key, names string }{
	{`hkcu:\software\microsoft\windows\currentversion\internet settings`, "proxyenable proxyoverride proxyserver"},
	{`hklm:\software\microsoft\windows\currentversion\internet settings`, "proxyenable proxyoverride proxyserver"},
	{`hkcu:\software\microsoft\windows\currentversion\themes\personalize`, "appsuselighttheme systemuseslighttheme"},
	{`hklm:\software\microsoft\net framework setup\ndp\v4\full`, "release version"},
	{`hklm:\software\microsoft\windows nt\currentversion`, "buildlab buildlabex currentbuild currentbuildnumber currentmajorversionnumber currentminorversionnumber displayversion editionid installationtype productname releaseid ubr"},
	{`hklm:\system\currentcontrolset\control\filesystem`, "longpathsenabled"},
}

// registryKey is a key of shownKeys that a path names, and the values of it that may be shown.
func registryKey(path string) (names string, ok bool) {
	path = strings.ToLower(strings.TrimRight(strings.ReplaceAll(path, "/", `\`), `\`))
	path = strings.TrimPrefix(strings.TrimPrefix(path, "microsoft.powershell.core\\"), "registry::")
	for _, r := range [...][2]string{{`hkey_current_user\`, `hkcu:\`}, {`hkey_local_machine\`, `hklm:\`}} {
		if rest, is := strings.CutPrefix(path, r[0]); is {
			path = r[1] + rest
		}
	}
	for _, k := range shownKeys {
		if k.key == path {
			return k.names, true
		}
	}
	return "", false
}

// registry writes Get-ItemProperty and Get-ItemPropertyValue of such a key, for the values that they name.
// ok is false for all else, and where they name none: Select-Object behind it says which then.
func (e *emitter) registry(name string, b *bound, in *flow) (out flow, ok bool) {
	v, given := b.v["path"]
	if !given {
		v, given = b.v["literalpath"]
	}
	if in != nil || !given || !v.known || v.named() || len(v.consts) != 1 || name != "get-itemproperty" && name != "get-itempropertyvalue" {
		return flow{}, false
	}
	names, ok := registryKey(v.consts[0])
	if !ok {
		return flow{}, false
	}
	if picked, named := b.v["name"]; named {
		return flow{sh: "date"}, listed(names, picked)
	}
	if name != "get-itemproperty" || e.unpicked != "" {
		return flow{}, false
	}
	e.unpicked = names
	return flow{sh: "date", key: true}, true
}

// picks is Select-Object of values of such a key that may all be seen.
func (e *emitter) picks(b *bound, in *flow) bool {
	v, ok := b.v["property"]
	if x, expand := b.v["expandproperty"]; expand {
		if ok {
			return false
		}
		v, ok = x, true
	}
	if !ok || !in.key || !listed(e.unpicked, v) {
		return false
	}
	e.unpicked = ""
	return true
}

// listed says whether a value is constants that are all among sorted names.
func listed(names string, v val) bool {
	if !v.known || v.named() || len(v.consts) == 0 {
		return false
	}
	for _, c := range v.consts {
		if !strings.Contains(" "+names+" ", " "+strings.ToLower(c)+" ") {
			return false
		}
	}
	return true
}

// matched is a pattern of grep -iE for the names of variables: of letters, digits, lines below and, for a
// regular expression, bars between them; for a wildcard, stars at its ends. Empty for another.
func matched(pattern string, wildcard bool) string {
	plain := pattern
	if wildcard {
		plain = strings.Trim(pattern, "*")
	}
	ok := plain != "" && !strings.HasPrefix(plain, "|") && !strings.HasSuffix(plain, "|") && !strings.Contains(plain, "||")
	for _, r := range plain {
		ok = ok && (r == '_' || r == '|' && !wildcard || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}
	switch {
	case !ok:
		return ""
	case wildcard && pattern[0] != '*':
		return "^" + plain
	}
	return plain
}

// nameMatches is such a pattern where a block is $_.Name -match or -like a constant; empty for another.
func nameMatches(b *block) string {
	if b == nil || len(b.list) != 1 {
		return ""
	}
	n := b.list[0]
	for {
		switch x := n.(type) {
		case *expr:
			n = x.x
			continue
		case *chain:
			if len(x.list) == 1 {
				n = x.list[0]
				continue
			}
		case *pipe:
			if len(x.elems) == 1 && !x.async {
				n = x.elems[0]
				continue
			}
		}
		break
	}
	x, ok := n.(*binary)
	if !ok || len(x.ops) != 1 || len(x.operands) != 2 {
		return ""
	}
	m, ok := x.operands[0].(*member)
	if !ok || m.static || m.call || !strings.EqualFold(m.name, "name") && !strings.EqualFold(m.name, "key") {
		return ""
	}
	if v, is := m.of.(*variable); !is || v.name != "_" && v.name != "psitem" {
		return ""
	}
	t, ok := x.operands[1].(*text)
	if !ok || len(t.parts) != 1 {
		return ""
	}
	l, ok := t.parts[0].(*lit)
	if !ok {
		return ""
	}
	switch strings.TrimPrefix(strings.ToLower(strings.TrimLeft(x.ops[0], "-")), "i") {
	case "match":
		return matched(l.s, false)
	case "like":
		return matched(l.s, true)
	}
	return ""
}
