package shell

import (
	"regexp"
	"strings"
)

// This file puts the workspace's own files that inline PHP requires before the code, as ownruby.go
// does for Ruby. What is not plain to see there stays as it is and asks.

var (
	phpRequires = regexp.MustCompile(`(^|[;{}\n])[ \t]*(?:require|include)(?:_once)?[ \t(]*(?:"([\w./-]+\.php)"|'([\w./-]+\.php)')\)?[ \t]*;`)
	// phpHeads are lines that say where names belong, and how strictly types are looked at: what is
	// declared is found by its own name (php.net, Namespaces; Typing).
	phpHeads = regexp.MustCompile(`(?m)^[ \t]*(?:declare\(strict_types=1\)|namespace [\w\\]+|use [\w\\]+(?: as \w+)?);[ \t]*$`)
	phpNames = regexp.MustCompile(`\b[A-Z]\w*\\`)
)

// withOwnPHP is inline PHP with such files before it.
func (m *machine) withOwnPHP(text string) string {
	if !strings.Contains(text, "require") && !strings.Contains(text, "include") {
		return text
	}
	files := m.ownFiles()
	own := ""
	said := phpRequires.ReplaceAllStringFunc(text, func(line string) string {
		parts := phpRequires.FindStringSubmatch(line)
		source, _, ok := files.text(m.p.Resolve(m.cwd, parts[2]+parts[3]))
		source, opens := cutPrefix(strings.TrimSpace(source), "<?php")
		if !ok || !opens || strings.Contains(source, "?>") || strings.Contains(source, "<?") || strings.Contains(source, "require") || strings.Contains(source, "include") || strings.Contains(source, "__") {
			return line
		}
		own += phpHeads.ReplaceAllString(source, "") + "\n"
		return parts[1]
	})
	if own == "" {
		return text
	}
	return own + phpNames.ReplaceAllString(said, "")
}
