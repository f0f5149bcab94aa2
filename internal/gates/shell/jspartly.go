package shell

import "strings"

// This file is about modules of JavaScript of which only some functions compute.

// osTells are members of Node.js's os that tell something (nodejs.org/api/os.html, version 22).
const osTells = "EOL arch availableParallelism cpus endianness freemem hostname loadavg machine platform release totalmem type uptime version"

// lodashComputes are functions of lodash that take no name of a property and no function of a text
// (lodash.com/docs/4.17.15).
const lodashComputes = "camelCase capitalize castArray ceil chunk clamp clone cloneDeep compact concat deburr difference drop dropRight endsWith escape escapeRegExp fill first flatten flattenDeep flattenDepth floor fromPairs gt gte head identity inRange initial intersection isArray isBoolean isDate isEmpty isEqual " +
	"isFinite isFunction isInteger isNaN isNil isNull isNumber isObject isPlainObject isString isUndefined join kebabCase last lowerCase lowerFirst lt lte max mean min noop now pad padEnd padStart parseInt pull random range repeat reverse round sample sampleSize shuffle size slice snakeCase sortedUniq " +
	"split startCase startsWith sum tail take takeRight times toArray toFinite toInteger toLower toNumber toPairs toString toUpper trim trimEnd trimStart truncate unescape union uniq unzip upperCase upperFirst without words xor zip zipObject"

// computingNames are the names of such a module that only compute. Not inlined, for the size of programs.
//
//go:noinline
func computingNames(mod string) string {
	switch mod {
	case "os", "node:os":
		return osTells
	case "lodash", "lodash-es":
		return lodashComputes
	}
	return ""
}

// usesPartly says whether a name that comes from such a module is one that computes, or all of it,
// of which the code names only such.
func (d *jsModule) usesPartly(name string, from jsOrigin) bool {
	list := computingNames(from.module)
	if list == "" {
		return false
	}
	if from.name != "*" && from.name != "default" {
		return hasWord(list, from.name)
	}
	members, ok := d.n.membersOf(name)
	ok = ok && len(members) > 0
	for _, member := range members {
		ok = ok && hasWord(list, member)
	}
	return ok
}

// partlyUsed is inline code in which such a module stands as one that only computes, where nothing
// else of it is used.
func partlyUsed(text string) string {
	for _, mod := range [...]string{"os", "node:os", "lodash"} {
		call := ""
		for _, quote := range [...]string{`"`, "'"} {
			if c := "require(" + quote + mod + quote + ")"; strings.Contains(text, c) {
				call = c
			}
		}
		if call == "" {
			continue
		}
		d := readModule("", text)
		if d == nil {
			return text
		}
		uses, listed, named := 0, 0, 0
		for name, from := range d.imports {
			switch {
			case from.module != mod:
				continue
			case !d.usesPartly(name, from) || d.n.setAgain(name):
				return text
			case from.name == "*" || from.name == "default":
				uses++
			default:
				listed = 1
			}
		}
		for i := range d.n.toks {
			if d.n.toks[i].kind == 's' && d.n.quoted(i) == mod {
				named++
			}
			if d.n.is(i, "require") && d.n.quoted(i+2) == mod && d.n.is(i+4, ".") && i+5 < len(d.n.toks) && hasWord(computingNames(mod), d.n.toks[i+5].text) {
				uses++
			}
		}
		if named == uses+listed { // nothing else brings it in
			text = strings.ReplaceAll(text, call, `require("`+ownModule+`")`)
		}
	}
	return text
}

// setAgain says whether a name is bound more than once.
func (n *nodeCode) setAgain(name string) bool {
	times := 0
	for i := range n.toks {
		if n.is(i, name) && n.is(i+1, "=") && !n.is(i+2, "=") {
			times++
		}
	}
	return times > 1
}
