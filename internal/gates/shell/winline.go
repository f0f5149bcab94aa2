package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file splits command lines of PowerShell and cmd into commands of plain words
// (about_Parsing, about_Operators and about_Redirection of PowerShell; cmd /?).
// What expands, calls or escapes is not followed: such a line is opaque.

// WindowsShell is a command interpreter of Windows.
type WindowsShell uint8

// The interpreters.
const (
	PowerShell WindowsShell = iota
	Cmd
)

// AnalyzeWindows resolves a command line as an interpreter of Windows reads it.
func AnalyzeWindows(command string, sh WindowsShell, places *effect.Places) []effect.Effect {
	m := machine{p: places, cwd: places.Cwd, ifs: " \t\n"}
	w := winReader{text: command, sh: sh}
	if mark.Has(command) || len(command) > maxSource {
		w.odd = true
	}
	for !w.odd && w.i < len(w.text) && m.step() {
		c := w.command()
		if w.odd {
			break
		}
		m.winCommand(c, sh)
	}
	if w.odd {
		m.opaque(effect.OpComputed, "a Windows command line: "+command)
	}
	return m.effects
}

// winCommand is one command: its words, and the files that its output goes to.
type winCommand struct {
	words, writes []string
	quoted        bool // the first word stood in quotes
}

// winReader reads one command after the other. odd says that it met what it does
// not follow.
type winReader struct {
	text string
	i    int
	sh   WindowsShell
	odd  bool
}

func (w *winReader) command() winCommand {
	var c winCommand
	for w.i < len(w.text) && !w.odd {
		switch ch := w.text[w.i]; {
		case ch == ' ' || ch == '\t' || ch == '\r':
			w.i++
		case ch == '\n' || ch == '|' || ch == ';' && w.sh == PowerShell:
			w.i++
			return c
		case ch == '&':
			w.i++
			if w.sh == Cmd || strings.HasPrefix(w.text[w.i:], "&") {
				return c
			}
			w.odd = true // the call operator
		case ch == '>' || (ch == '1' || ch == '2' || ch == '*') && strings.HasPrefix(w.text[w.i+1:], ">"):
			w.redirect(&c)
		default:
			quoted := ch == '"' || ch == '\''
			word := w.word()
			if effect.Shared(word) {
				w.odd = true // a path on another machine, which is told who one is
			}
			if len(c.words) == 0 {
				c.quoted = quoted
			}
			c.words = append(c.words, word)
		}
	}
	return c
}

func (w *winReader) redirect(c *winCommand) {
	w.i += firstByte(w.text[w.i:], '>') + 1
	w.i += len(w.text[w.i:]) - len(strings.TrimLeft(w.text[w.i:], ">"))
	if rest := w.text[w.i:]; strings.HasPrefix(rest, "&1") || strings.HasPrefix(rest, "&2") {
		w.i += 2
		return
	}
	w.i += len(w.text[w.i:]) - len(strings.TrimLeft(w.text[w.i:], " \t"))
	if file := w.word(); strings.EqualFold(file, "$null") || strings.EqualFold(file, "nul") {
		return
	} else if file != "" {
		c.writes = append(c.writes, file)
		return
	}
	w.odd = true
}

// word reads one word: plain characters and strings in quotes.
func (w *winReader) word() string {
	start := w.i
	var b strings.Builder
	for w.i < len(w.text) {
		ch := w.text[w.i]
		switch {
		case firstByte(" \t\r\n;|&>", ch) >= 0 && (ch != ';' || w.sh == PowerShell):
			return b.String()
		case ch == '"' || ch == '\'' && w.sh == PowerShell:
			b.WriteString(w.quoted(ch))
			continue
		case ch == '%' && w.sh == Cmd, ch == '$' && w.sh == PowerShell:
			b.WriteString(w.variable(ch, w.i == start))
			continue
		case ch >= 0x80 || firstByte("`(){}<#@^!%$[", ch) >= 0 || ch == ',' && w.sh == Cmd:
			w.odd = true
			return ""
		}
		b.WriteByte(ch)
		w.i++
	}
	return b.String()
}

// quoted reads a string. One in which something may be expanded is odd.
func (w *winReader) quoted(quote byte) string {
	end := firstByte(w.text[w.i+1:], quote)
	if end < 0 {
		w.odd, w.i = true, len(w.text)
		return ""
	}
	text := w.text[w.i+1 : w.i+1+end]
	w.i += end + 2
	bad := ""
	switch {
	case w.sh == Cmd:
		bad = "%^!\n"
	case quote == '"':
		bad = "`$"
	}
	for i := 0; i < len(text); i++ {
		if firstByte(bad, text[i]) >= 0 || text[i] >= 0x80 {
			w.odd = true
		}
	}
	return text
}

// variable reads one that names a directory at the start of a path, or a constant.
func (w *winReader) variable(ch byte, first bool) string {
	rest := w.text[w.i:]
	end := 1 + len(rest[1:]) - len(strings.TrimLeft(rest[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:"))
	if ch == '%' && strings.HasPrefix(rest[end:], "%") {
		end++
	} else if ch == '%' {
		first = false
	}
	name := strings.ToLower(rest[:end])
	if !first || ch == '$' && !strings.HasPrefix(name, "$env:") && name != "$null" && name != "$true" && name != "$false" && name != "$home" && name != "$pwd" {
		w.odd = true
	}
	w.i += end
	if plain := strings.Trim(trimPrefix(name, "$env:"), "%"); name[0] == '%' || strings.HasPrefix(name, "$env:") {
		if !mark.Among("appdata home homedrive homepath localappdata systemdrive systemroot temp tmp userprofile windir", plain) {
			w.odd = true
		}
	}
	switch name {
	case "$home":
		return "~"
	case "$pwd":
		return "."
	}
	return rest[:end]
}
