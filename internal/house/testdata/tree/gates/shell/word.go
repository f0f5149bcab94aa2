// Package shell parses.
package shell

import (
	"strings"

	"example.org/house/gates/effect"
	"mvdan.cc/sh/v3/syntax"
)

// Words counts the words of a command.
func Words(command string) (n int) {
	text, _ := syntax.Parser{}.Parse(strings.NewReader(command), "")
	effect.Each(func(int) { n = count(text) })
	return n
}

func count(text string) int { return len(strings.Fields(text)) }
