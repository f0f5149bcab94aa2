package gates

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about files whose names say of no tool that it loads them: settings under a name
// of the session's own (-c FILE, include FILE), and those of tools that no list has. What would
// be rejected if it ran is none of a project's daily work, whatever the file is called, so it
// counts for what builds, tests and runs the project.

// toldFormats are endings of what is written for people, and of what a run says. Sorted.
const toldFormats = ".adoc .asciidoc .diff .htm .html .log .markdown .md .mdx .org .out .patch .pdf .rst .snap .svg .textile .txt"

// mayLoad says whether a tool may load a file as its code or its settings: by its name it is
// neither data nor written for people. Names in capitals without an ending are (LICENSE, README),
// but for those of build files.
func mayLoad(file string) bool {
	base := path.Base(file)
	return !mark.Among(toldFormats, strings.ToLower(path.Ext(base))) && !holdsData(base) && (path.Ext(base) != "" || base != strings.ToUpper(base) || len(base) < len("TODO") || strings.HasPrefix(base, "BU"))
}

// heldFor adds what such a file does to the runs of the project, where it would be rejected. A
// compose file under a name of one's own counts where it is named.
func heldFor(out []string, file, text string, harm bool) []string {
	if harm && mayLoad(file) && !composeFile(file, text) {
		out = with(out, project+file)
	}
	return out
}

// saysDirectory says whether the call writes a name with a slash behind it: what is copied there
// is kept below it.
func (c *Context) saysDirectory(file string) bool {
	for rest, base := c.Command, path.Base(file)+"/"; ; {
		_, after, ok := cutAt(rest, base)
		if !ok {
			return false
		}
		if after == "" || firstByte(" \t\n;&|\"')", after[0]) >= 0 {
			return true
		}
		rest = after
	}
}

// embeddedStarts are programs that send, delete or run what they are given: a text has a command
// line where one of them begins a word.
var embeddedStarts = [...]string{"bash ", "curl ", "nc ", "rm ", "rsync ", "scp ", "sh ", "wget "}

// embedded are the command lines in a text of any form, one for each place where such a program
// begins a word: up to the quote before which it stands, or to the end of its line without the
// brackets and quotes there.
func embedded(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		for _, start := range embeddedStarts {
			for from := 0; ; {
				i := strings.Index(l[from:], start)
				if i < 0 {
					break
				}
				i += from
				from = i + len(start)
				if i > 0 && firstByte(" \t\"'`([{<>=,;:|&!@$/", l[i-1]) < 0 {
					continue
				}
				piece := strings.TrimRight(l[i:], " \t\"'`)]}>,;|")
				if i > 0 && firstByte("\"'`", l[i-1]) >= 0 {
					if end := closing(l, i, l[i-1]); end > 0 {
						piece = strings.ReplaceAll(l[i:end], `\`+l[i-1:i], l[i-1:i])
					}
				}
				out = append(out, strings.Join(strings.Fields(piece), " "))
			}
		}
	}
	return out
}

// behindShell are the texts in quotes behind the option by which a shell is given a line, where
// words stand each by themselves: "sh", "-c", "...".
func behindShell(text string) []string {
	var out []string
	for rest := text; ; {
		i := strings.Index(rest, "-c")
		if i < 0 {
			return out
		}
		before := i > 0 && firstByte("\"'`", rest[i-1]) >= 0
		if rest = rest[i+len("-c"):]; !before || rest == "" || firstByte("\"'`", rest[0]) < 0 {
			continue
		}
		next := strings.TrimLeft(rest[1:], ", \t\n")
		if next == "" || firstByte("\"'`", next[0]) < 0 {
			continue
		}
		if end := closing(next, 1, next[0]); end > 0 {
			out = append(out, strings.ReplaceAll(next[1:end], `\`+next[:1], next[:1]))
		}
	}
}

// settingsFormats are endings of settings, and codeFormats of what a program loads or starts. Sorted.
var (
	settingsFormats = ".cfg .conf .config .edn .hcl .ini .json .json5 .jsonc .neon .properties .rsp .toml .xml .yaml .yml"
	codeFormats     = []string{".bat", ".class", ".cjs", ".dll", ".dylib", ".exe", ".jar", ".js", ".mjs", ".php", ".pl", ".py", ".rb", ".sh", ".so", ".ts", ".whl"}
)

// loadsCode says whether settings name code in a temporary directory: who loads it by them loads
// what anybody put there.
func loadsCode(file, text string) bool {
	if !mark.Among(settingsFormats, strings.ToLower(path.Ext(file))) && path.Base(file)[0] != '.' {
		return false
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`=,;()[]{}<>|&", r) }) {
		if i := strings.Index(w, "/tmp/"); i >= 0 && len(w) < maxFileName {
			if searched(codeFormats, strings.ToLower(path.Ext(w))) && !strings.Contains(w, "://") {
				return true
			}
		}
	}
	return false
}
