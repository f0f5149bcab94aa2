package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about inline Ruby, Lua and JavaScript of Deno that reads a file whose name stands in the code:
// the file is read, and what the code does with it is judged as what it does with a text. And
// about Perl that loads modules which only compute.

// fileReads are calls of a language that read the file of their one argument, a text, and what
// else takes a text and is judged in their place (docs.ruby-lang.org/en/3.4: File, IO, CSV and
// Psych; lua.org/manual/5.4, 6.8; docs.deno.com, Deno.readTextFile).
var fileReads = [...]struct{ lang, call, instead, behind string }{
	{"lua", "io.lines", "string.gmatch(", `, ".")`},
	{"node", "Deno.readTextFile", "", ""},
	{"node", "Deno.readTextFileSync", "", ""},
	{"php", "file", "explode(", `, "")`},
	{"php", "file_exists", "", ""},
	{"php", "file_get_contents", "", ""},
	{"php", "filemtime", "strlen(", ")"},
	{"php", "filesize", "strlen(", ")"},
	{"php", "is_dir", "", ""},
	{"php", "is_file", "", ""},
	{"ruby", "CSV.foreach", "CSV.parse(", ""},
	{"ruby", "CSV.read", "CSV.parse(", ""},
	{"ruby", "CSV.table", "CSV.parse(", ""},
	{"ruby", "File.exist?", "", ".empty?"},
	{"ruby", "File.foreach", "", ".each_line"},
	{"ruby", "File.read", "", ""},
	{"ruby", "File.readlines", "", ".lines"},
	{"ruby", "File.size", "", ".size"},
	{"ruby", "YAML.load_file", "JSON.parse(", ")"},
	{"ruby", "YAML.safe_load_file", "JSON.parse(", ")"},
}

// withReads records the files that such calls read and is the code with the text in their
// place. A name with anything but what plain paths are made of is left as it stands.
func (m *machine) withReads(lang, text string) string {
	for _, r := range fileReads {
		if r.lang != lang {
			continue
		}
		for at := 0; ; {
			i := strings.Index(text[at:], r.call+"(")
			if i < 0 {
				break
			}
			from := at + i
			at = from + len(r.call) + 1
			if from > 0 && (isNameByte(text[from-1]) || firstByte(".:>$@\\", text[from-1]) >= 0) || at >= len(text) || text[at] != '"' && text[at] != '\'' {
				continue
			}
			end := firstByte(text[at+1:], text[at])
			if end < 0 {
				break
			}
			file, rest := text[at+1:at+1+end], text[at+1+end+1:]
			if file == "" || strings.Trim(file, pathBytes) != "" || file[0] == '-' || r.behind == "" && r.instead != "" && !strings.HasPrefix(rest, ")") && !strings.HasPrefix(rest, ", headers: true)") {
				continue
			}
			if r.behind != "" || r.instead == "" {
				if !strings.HasPrefix(rest, ")") {
					continue
				}
				rest = rest[1:]
			}
			m.read(file)
			head := text[:from] + r.instead + `"//` + file + `"` + r.behind // no name of anything
			text, at = head+rest, len(head)
		}
	}
	return text
}

// withoutUses is code of Perl without the statements that load modules which only compute, as
// -M loads them: use MODULE; and use MODULE qw(NAMES); (perlfunc(1), use).
func withoutUses(text string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], "use ")
		if i < 0 {
			return text
		}
		from := at + i
		at = from + len("use ")
		if before := strings.TrimRight(text[:from], " \t\n"); before != "" && !strings.HasSuffix(before, ";") && !strings.HasSuffix(before, "{") {
			continue
		}
		end := firstByte(text[at:], ';')
		if end < 0 {
			return text
		}
		module, names, _ := cutAt(strings.TrimSpace(text[at:at+end]), " ")
		if names = strings.TrimSpace(names); names != "" {
			list, ok := cutPrefix(names, "qw(")
			if !ok || !strings.HasSuffix(list, ")") || strings.Trim(list[:len(list)-1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ") != "" {
				continue
			}
		}
		if !mark.Among(perlModules, module) {
			continue
		}
		text = text[:from] + ";" + text[at+end+1:]
		at = from + 1
	}
}
