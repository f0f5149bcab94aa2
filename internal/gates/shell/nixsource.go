package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// nixSource judges what Nix evaluates: a file or directory, or a flake reference with an
// attribute behind "#" (nix3-flake(1), Flake references; nix-build(1)). A path of the
// workspace is its code. A name of the registry, an address, a name in angle brackets and
// a reference with parameters come from elsewhere, and ask.
func (r *toolRun) nixSource(word string) {
	ref, _, _ := cutAt(word, "#")
	local := ref == "" || ref[0] == '.' || ref[0] == '/' || strings.HasSuffix(ref, ".nix")
	if !local || mark.Has(ref) || strings.ContainsAny(ref, "<>:?^ \t\n()[]{};\"") {
		r.m.escape(r.t.name + " " + word)
		return
	}
	if ref == "" {
		ref = "."
	}
	r.m.settings(ref)
}

// nixWords are keywords of Nix and those of its built-in functions that only compute
// (Nix 2.8 manual, Nix Language: Constructs, Built-in Functions). What reads files,
// fetches, imports, builds or asks the environment is not among them.
const nixWords = "let in if then else true false null inherit rec assert or " +
	"map toString isNull removeAttrs attrNames attrValues length head tail filter elem elemAt concatLists concatMap concatStringsSep foldl' all any sort lessThan typeOf isAttrs isList isString isInt isBool isFunction hasAttr getAttr intersectAttrs listToAttrs mapAttrs zipAttrsWith " +
	"genList partition groupBy add sub mul div floor ceil bitAnd bitOr bitXor stringLength substring replaceStrings split match splitVersion compareVersions parseDrvName toJSON fromJSON fromTOML seq deepSeq nixVersion langVersion currentSystem"

// nixExpression asks about an expression of Nix that does more than compute: each name in
// it is listed, bound there, or picked from a value that is.
func (r *toolRun) nixExpression(text string) {
	if !nixComputes(text) {
		r.m.escape(r.t.name + " " + text)
	}
}

func nixComputes(text string) bool {
	if mark.Has(text) || len(text) > maxTokens || strings.Contains(text, "${") || strings.ContainsAny(text, "<>@~#\\`/?") {
		return false
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := firstByte(text[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 2
		case c >= 0x80, c == '\'' && strings.HasPrefix(text[i:], "''"):
			return false
		case isNameByte(c) && (c < '0' || c > '9'):
			n := nixNameLen(text[i:])
			if !nixKnows(text, i, n) {
				return false
			}
			i += n
		default:
			i++
		}
	}
	return true
}

// nixNameLen is the length of an identifier of Nix, which may hold dashes and primes.
func nixNameLen(s string) int {
	n := 0
	for n < len(s) && (isNameByte(s[n]) || s[n] == '-' || s[n] == '\'') {
		n++
	}
	return n
}

// nixKnows says whether the name of n bytes at i is known where it stands. The set of all
// built-in functions is only a name before one of them, and what is picked from another
// value is called with nothing.
func nixKnows(text string, i, n int) bool {
	name, before, after := text[i:i+n], strings.TrimRight(text[:i], " \n"), strings.TrimLeft(text[i+n:], " \n")
	if name == "builtins" {
		return strings.HasPrefix(after, ".") && hasWord(nixWords, after[1:1+nixNameLen(after[1:])])
	}
	if picked := trimSuffix(before, "."); picked != before {
		return strings.HasSuffix(picked, "builtins") || after == "" || firstByte(".;,)]}=!&|+-*", after[0]) >= 0
	}
	return hasWord(nixWords, name) || nixBinds(after) || nixBound(text, name)
}

// nixBinds says whether a name is bound by what follows it.
func nixBinds(after string) bool {
	return strings.HasPrefix(after, ":") || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
}

// nixBound says whether an expression binds a name anywhere.
func nixBound(text, name string) bool {
	for j := range len(text) {
		if strings.HasPrefix(text[j:], name) && (j == 0 || !isNameByte(text[j-1]) && text[j-1] != '.') && nixBinds(strings.TrimLeft(text[j+len(name):], " \n")) {
			return true
		}
	}
	return false
}
