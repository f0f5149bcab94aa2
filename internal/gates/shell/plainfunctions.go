package shell

import (
	"regexp"
	"strings"
)

// This file is about functions that a script of R or Julia makes itself and then calls. All that
// they do stands in the script, and is read with it.

// What makes a function: in R at the start of a line, so that it is no part of a condition (R
// Language Definition, 2.1.5); in Julia with a word or by an assignment (Julia's manual, Functions).
var (
	rFunction     = regexp.MustCompile(`(?m)^([A-Za-z]\w*(?:\.\w+)*)[ \t]*(?:<-|=)[ \t]*function[ \t]*\(([^()]*)\)`)
	rParameters   = regexp.MustCompile(`\bfunction[ \t]*\(([^()]*)\)`)
	juliaFunction = regexp.MustCompile(`(?m)^[ \t]*(?:function[ \t]+)?([A-Za-z]\w*)\(([^()]*)\)(?:[ \t]*=[^=]|[ \t]*$)`)
	conditions    = regexp.MustCompile(`(?m)^(?:if|for|while|repeat|else)\b[^\n{]*$|\belse[ \t]*$`)
)

// functions notes the functions that the code makes, and their parameters; false where it makes
// one by a name that reaches further.
func (c *plainReader) functions() bool {
	switch c.l.name {
	case "R":
		if conditions.MatchString(c.text) {
			return true // what stands on the line behind it may never come to be
		}
		for _, m := range rFunction.FindAllStringSubmatchIndex(c.text, -1) {
			if name := c.text[m[2]:m[3]]; strings.Count(c.text[:m[0]], "{") == strings.Count(c.text[:m[0]], "}") && strings.Count(c.text[:m[0]], "(") == strings.Count(c.text[:m[0]], ")") && !strings.Contains(c.text[:m[0]], name+"(") {
				c.own = append(c.own, name)
			}
		}
		for _, m := range rParameters.FindAllStringSubmatch(c.text, -1) {
			c.parameters(m[1])
		}
	case "julia":
		for _, m := range juliaFunction.FindAllStringSubmatch(c.text, -1) {
			c.own = append(c.own, m[1])
			c.parameters(m[2])
		}
		for _, name := range append(c.own, c.bound...) {
			if hasWord(juliaEffects, name) {
				return false
			}
		}
	}
	return true
}

// parameters notes the names of a list of parameters.
func (c *plainReader) parameters(list string) {
	for p := range strings.SplitSeq(list, ",") {
		p = strings.TrimSpace(p)
		if n := nameLen(p); n > 0 {
			c.bound = append(c.bound, p[:n])
		}
	}
}
