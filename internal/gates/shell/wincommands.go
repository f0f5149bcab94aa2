package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// winVerbs are cmdlets, their aliases (about_Aliases, Get-Alias) and the builtins of
// cmd, with what they do to their operands: r reads, l lists, d removes, c copies
// to the last one, v moves to it, w writes the first one, n nothing, C changes the
// directory, u fetches. Sorted.
var winVerbs = [...]struct {
	name string
	does byte
}{
	{"ac", 'w'}, {"add-content", 'w'}, {"cat", 'r'}, {"cd", 'C'}, {"chdir", 'C'}, {"clear", 'n'}, {"cls", 'n'}, {"copy", 'c'}, {"copy-item", 'c'}, {"cp", 'c'}, {"cpi", 'c'},
	{"curl", 'u'}, {"del", 'd'}, {"dir", 'l'}, {"echo", 'n'}, {"erase", 'd'}, {"format-list", 'n'}, {"format-table", 'n'}, {"gc", 'r'}, {"gci", 'l'}, {"get-childitem", 'l'},
	{"get-command", 'n'}, {"get-content", 'r'}, {"get-date", 'n'}, {"get-item", 'l'}, {"get-location", 'n'}, {"gl", 'n'}, {"invoke-restmethod", 'u'}, {"invoke-webrequest", 'u'},
	{"irm", 'u'}, {"iwr", 'u'}, {"ls", 'l'}, {"md", 'w'}, {"measure-object", 'n'}, {"mi", 'v'}, {"mkdir", 'w'}, {"move", 'v'}, {"move-item", 'v'}, {"mv", 'v'}, {"new-item", 'w'},
	{"ni", 'w'}, {"out-file", 'w'}, {"out-null", 'n'}, {"out-string", 'n'}, {"pwd", 'n'}, {"rd", 'd'}, {"rem", 'n'}, {"remove-item", 'd'}, {"ren", 'v'}, {"rename-item", 'v'}, {"ri", 'd'},
	{"rm", 'd'}, {"rmdir", 'd'}, {"rni", 'v'}, {"select-object", 'n'}, {"set-content", 'w'}, {"set-location", 'C'}, {"sl", 'C'}, {"tee-object", 'w'}, {"test-path", 'l'},
	{"type", 'r'}, {"wget", 'u'}, {"write-host", 'n'}, {"write-output", 'n'},
}

// winValues are parameters whose value is no file, and winSwitches those without a
// value, of the cmdlets above. Any other one is not understood. Sorted.
var (
	winValues   = "-context -depth -encoding -exclude -filter -first -include -itemtype -last -property -readcount -skip -tail -totalcount -type -value -width"
	winPaths    = [...]string{"-destination", "-filepath", "-literalpath", "-name", "-newname", "-outfile", "-path", "-uri"}
	winSwitches = "-append -autosize -character -confirm:$false -directory -file -force -hidden -line -nonewline -raw -recurse -unique -usebasicparsing -word"
)

// winShared are programs that PowerShell and cmd have a command of their own for,
// under a name that another program has as well: what they would do is not known.
// Sorted.
const winShared = "assoc call compare diff exit fc find for foreach ftype goto group h history if kill man mount move popd ps pushd r sc select set setx sleep sort start tee trap where"

// winCommand runs one command of plain words.
func (m *machine) winCommand(c winCommand, sh WindowsShell) {
	for _, f := range c.writes {
		m.write(globText(f), effect.OpCreate)
	}
	if len(c.words) == 0 {
		return
	}
	if c.quoted && sh == PowerShell {
		return // a string that is printed
	}
	name := strings.ToLower(c.words[0])
	if strings.HasPrefix(name, "$") && sh == PowerShell {
		m.opaque(effect.OpComputed, "computed command: "+name)
		return
	}
	m.prog = name
	lo, hi := 0, len(winVerbs)
	for lo < hi {
		if mid := (lo + hi) / 2; winVerbs[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(winVerbs) && winVerbs[lo].name == name {
		m.winVerb(name, winVerbs[lo].does, c.words[1:])
		return
	}
	if mark.Among(winShared, name) {
		m.escape(name)
		return
	}
	exe := strings.HasSuffix(name, ".exe")
	if strings.ContainsAny(name, `/\`) && !exe {
		m.escape(name) // it may be a script whose text nobody reads
		return
	}
	if name = trimSuffix(name, ".exe"); sh == Cmd && m.besideCmd(name) {
		m.escape(name)
		return
	}
	if strings.ContainsAny(name, `:.`) && !strings.ContainsAny(name, `/\`) || strings.ContainsAny(name, "-") && lookupTool(name) == nil {
		m.spawn(effect.OpRunUnknown, name) // a cmdlet, a script, a drive
		return
	}
	words := []string{strings.ReplaceAll(name, `\`, "/")}
	for _, w := range c.words[1:] {
		words = append(words, globText(w))
	}
	m.run(words, unknown, false)
}

// besideCmd says whether a program's name is one of a file in the directory where cmd is, where it looks
// first.
func (m *machine) besideCmd(name string) bool {
	for _, ext := range [...]string{".com", ".exe", ".bat", ".cmd", ".vbs", ".vbe", ".js", ".jse", ".wsf", ".wsh", ".msc"} {
		full := m.p.Resolve(m.cwd, name+ext)
		if _, wrote := m.written(full); wrote {
			return true
		}
		if m.p.There != nil && m.p.There(full) {
			return true
		}
	}
	return false
}

// winVerb gives the operands of a command their roles.
func (m *machine) winVerb(name string, does byte, args []string) {
	m.spawn(effect.OpRun, name)
	if does == 'n' {
		return
	}
	paths, tree := m.winOperands(args)
	if len(paths) == 0 && does != 'l' && does != 'C' {
		m.opaque(effect.OpComputed, name+" of what another command names")
		return
	}
	switch last := len(paths) - 1; {
	case does == 'r':
		m.each(paths, m.read)
	case does == 'l':
		m.each(paths, m.list)
	case does == 'd':
		op := effect.OpRemove
		if tree || name == "rd" || name == "rmdir" {
			op = effect.OpRemoveTree
		}
		m.each(paths, func(p string) { m.remove(p, op) })
	case does == 'w':
		m.each(paths, func(p string) { m.write(p, effect.OpCreate) })
	case does == 'u':
		m.each(paths, func(p string) { m.url(effect.OpSend, p, "http") })
	case does == 'C' && last >= 0:
		m.cwd = m.p.Resolve(m.cwd, paths[last])
	case (does == 'c' || does == 'v') && last == 0:
		m.copyFiles(winCopies(does), []string{paths[0], "."})
	case (does == 'c' || does == 'v') && last > 0:
		m.copyFiles(winCopies(does), append([]string{"--"}, paths...))
	}
}

func winCopies(does byte) string {
	if does == 'v' {
		return "mv"
	}
	return "cp"
}

func (m *machine) each(words []string, do func(string)) {
	for _, w := range words {
		do(globText(w))
	}
}

// winOperands tells the operands of a cmdlet from its parameters; tree says that
// it works on all below them.
func (m *machine) winOperands(args []string) (paths []string, tree bool) {
	for i := 0; i < len(args); i++ {
		a := strings.ToLower(args[i])
		switch {
		case a == "-r" || a == "-rf" || a == "-recurse" || a == "/s":
			tree = true
		case mark.Among(winSwitches, a), len(a) == 2 && a[0] == '/' && letterByte(a[1]):
		case mark.Among(winValues, a):
			i++
		case searchNames(winPaths[:], a):
		case strings.HasPrefix(a, "-") || ofProvider(a):
			m.escape(m.prog + " " + args[i])
		default:
			paths = append(paths, strings.Split(args[i], ",")...)
		}
	}
	return paths, tree
}

// ofProvider says whether a word is on a drive that holds no files: HKCU:, Cert:
// (about_Providers).
func ofProvider(word string) bool {
	i := firstByte(word, ':')
	return i > 1 && strings.Trim(word[:i], "abcdefghijklmnopqrstuvwxyz") == "" && !strings.HasPrefix(word[i:], "://")
}

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' }
