package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about simulators and emulators that developers run on their own machine: what
// is done there reaches no other device, and what is lost there is made again.

// simctl judges what the table cannot say of simctl (simctl help; log(1) of macOS). ok is false
// for all that the table says.
func (m *machine) simctl(args []string) (ok bool) {
	if len(args) < 3 || !plainName(args[0]) {
		return false
	}
	switch args[0] {
	case "openurl":
		ok = len(args) == 3 && m.ownLink(args[2])
	case "spawn":
		ok = len(args) > 4 && args[2] == "log" && (args[3] == "show" || args[3] == "stream") && looksInLog(args[4:])
	case "install":
		ok = len(args) == 3 && m.ownSimulated(args[2])
	}
	if ok {
		m.spawn(effect.OpRun, "simctl")
	}
	return ok
}

// logValues and logFlags are options of log show and log stream that choose what is shown.
const (
	logValues = "--color --end --last --level --predicate --process --start --style --timeout --type"
	logFlags  = "--debug --info --loss --no-backtrace --no-debug --no-info --no-pager --signpost --source"
)

// looksInLog says whether the arguments of log are such options. A predicate that calls a
// function may run code (Apple, Predicate Format String Syntax), so a bracket stands in one
// alone or behind a word of its logic.
func looksInLog(args []string) bool {
	for i := 0; i < len(args); i++ {
		switch name, value, attached := cutAt(args[i], "="); {
		case hasWord(logFlags, args[i]):
		case !hasWord(logValues, name):
			return false
		default:
			if !attached {
				if i++; i == len(args) {
					return false
				}
				value = args[i]
			}
			if name == "--predicate" && callsFunction(value) {
				return false
			}
		}
	}
	return true
}

func callsFunction(predicate string) bool {
	before := ""
	for i := 0; i < len(predicate); i++ {
		switch c := predicate[i]; {
		case c == '(' && !hasWord(" AND OR NOT IN ", strings.ToUpper(before)) && before != "":
			return true
		case isNameByte(c):
			n := nameLen(predicate[i:])
			before = predicate[i : i+max(n, 1)]
			i += max(n, 1) - 1
		case c != ' ':
			before = ""
		}
	}
	return false
}

// ownLink says whether an address is one of this machine or one that the workspace's own
// application answers: its scheme is, or is part of, the name of the workspace's directory.
func (m *machine) ownLink(link string) bool {
	scheme, rest, ok := cutAt(link, "://")
	if !ok || !plainLink(link) {
		return false
	}
	switch scheme = strings.ToLower(scheme); scheme {
	case "http", "https":
		n, ok := effect.ParseURL(link, "")
		return ok && (n.Domain == "localhost" || loopbackIP(n.IP))
	}
	return len(scheme) > 3 && !strings.Contains(strings.ToLower(rest), "http") && m.ofWorkspace(scheme)
}

// plainLink says whether an address is spelled out in letters that no shell reads anew.
func plainLink(link string) bool {
	return strings.Trim(strings.ToLower(link), "abcdefghijklmnopqrstuvwxyz0123456789:/?&=._-+%#") == ""
}

// ofWorkspace says whether a name is the name of a root of the workspace or one of its words.
func (m *machine) ofWorkspace(name string) bool {
	return slices.ContainsFunc(m.p.Roots, func(root string) bool {
		base := strings.ToLower(lastElement(root))
		return base == name || isAmong(strings.FieldsFunc(base, separates), name)
	})
}

// ownSimulated says whether an application is what Xcode built for a simulator of the project
// of the workspace's name, where it puts that as long as nobody says where (Xcode Help, Derived
// Data), and no call of the session wrote there.
func (m *machine) ownSimulated(app string) bool {
	full := m.p.Resolve(m.cwd, app)
	rest, ok := cutPrefix(full, m.p.Home+"/Library/Developer/Xcode/DerivedData/")
	project, rest, found := cutAt(rest, "/Build/Products/")
	kind, name, one := cutAt(rest, "/")
	i := lastByte(project, '-')
	if !ok || !found || !one || i < 1 || m.p.Home == "" || strings.ContainsAny(full, "\x00") || !plainPathName(project) || !plainPathName(kind) || !plainPathName(name) {
		return false
	}
	return strings.HasSuffix(kind, "simulator") && strings.HasSuffix(name, ".app") && m.ofWorkspace(strings.ToLower(project[:i])) && m.untouched(full)
}

// plainPathName says whether a part of a path is written in letters, digits, dashes, dots and blanks.
func plainPathName(part string) bool {
	return part != ".." && strings.Trim(strings.ToLower(part), "abcdefghijklmnopqrstuvwxyz0123456789-_. ") == ""
}

// emulated judges a line of adb that itself names an emulator: by the serial number that
// only those have (adb help, -s; emulator-PORT). What its commands do there is done to a
// machine of the developer's own; what of the line reaches the files of this one is judged.
// -e is also said of devices that are connected over the network.
func (m *machine) emulated(args []string) bool {
	if len(args) < 3 || args[0] != "-s" || !m.givesOnly(nil) { // one may name another machine's server
		return false
	}
	port, ok := cutPrefix(args[1], "emulator-")
	if !ok || len(port) != 4 || number(port) < 0 {
		return false
	}
	sub, rest := args[2], args[3:]
	words, flags := 0, true
	for _, a := range rest {
		switch {
		case a == "" || strings.Trim(strings.ToLower(a), "abcdefghijklmnopqrstuvwxyz0123456789-_./:,=@+%*") != "":
			return false
		case a[0] != '-':
			words++
		case sub == "install":
			flags = flags && hasWord(" -r -t -d -g ", a)
		}
	}
	last := ""
	if len(rest) > 0 {
		last = rest[len(rest)-1]
	}
	switch {
	case sub == "install" && words == 1 && flags && strings.HasSuffix(last, ".apk"):
		z, _, _ := m.p.Where(m.p.Resolve(m.cwd, last))
		m.record(effect.Effect{Kind: effect.Spawn, Op: effect.OpRunFile, Zone: z, Resource: show(m.p.Resolve(m.cwd, last))})
	case sub == "push" && words == 2 && len(rest) == 2:
		m.read(rest[0])
	case sub == "uninstall" && words == 1 && len(rest) == 1:
	case sub == "shell" && len(rest) > 1 && changesEmulator(rest):
	default:
		return false
	}
	m.spawn(effect.OpRun, "adb")
	return true
}

// emulatorCommands are commands of the shell of a device that change its settings, start its
// applications or clear what they hold, and reach nothing else (help of am, pm, settings,
// input, wm, cmd and monkey).
const emulatorCommands = " am broadcast am force-stop am kill am start am startservice am start-foreground-service cmd locale cmd notification cmd overlay cmd uimode input keyevent input swipe input tap input text " +
	"pm clear pm disable pm disable-user pm enable pm grant pm reset-permissions pm revoke pm uninstall settings delete settings put svc data svc wifi wm density wm size "

// changesEmulator says whether a line is such a command. An address is for whom the emulator asks.
func changesEmulator(line []string) bool {
	if slices.ContainsFunc(line, func(a string) bool { return strings.Contains(a, "://") || strings.Contains(a, "http") }) {
		return false
	}
	if line[0] == "monkey" && line[1] == "-p" {
		return true
	}
	return strings.Contains(emulatorCommands, " "+line[0]+" "+line[1]+" ") && plainName(line[0])
}

// asApplication is a line of adb without the run-as before a command that only shows, which an
// application's own user runs: that may do less (adb shell run-as).
func asApplication(args []string) ([]string, bool) {
	i := slices.Index(args, "run-as")
	if i < 1 || args[i-1] != "shell" || i+2 >= len(args) || !hasWord(" du id ls stat wc ", args[i+2]) || strings.Trim(args[i+1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._") != "" {
		return nil, false
	}
	for _, a := range args[i+3:] { // the device's shell reads them anew
		if strings.Trim(strings.ToLower(a), "abcdefghijklmnopqrstuvwxyz0123456789-_./") != "" {
			return nil, false
		}
	}
	return append(slices.Clone(args[:i]), args[i+2:]...), true
}

// plist judges PlistBuddy that prints (PlistBuddy(8)): each command is Print or Help.
func (m *machine) plist(args []string) bool {
	file, given := "", false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-x" || a == "-l":
		case a == "-c" && i+1 < len(args):
			i++
			verb, _, _ := cutAt(args[i], " ")
			if verb != "Print" && verb != "print" && verb != "Help" || strings.ContainsAny(args[i], "\x00\n;") {
				return false
			}
			given = true
		case a != "" && a[0] != '-' && file == "":
			file = a
		default:
			return false
		}
	}
	if !given || file == "" {
		return false
	}
	m.spawn(effect.OpRun, "PlistBuddy")
	m.read(file)
	return true
}

// sipsTakes are options of sips that change an image, with how many words each takes.
var sipsTakes = map[string]int{
	"-Z": 1, "--resampleHeightWidthMax": 1, "--resampleWidth": 1, "--resampleHeight": 1, "-z": 2, "--resampleHeightWidth": 2, "-r": 1, "--rotate": 1, "-f": 1, "--flip": 1,
	"-c": 2, "--cropToHeightWidth": 2, "-p": 2, "--padToHeightWidth": 2, "--padColor": 1, "-s": 2, "--setProperty": 2,
}

// sips judges a line of sips that changes images: in place, where no --out says where to
// (sips --help). ok is false for any other line.
func (m *machine) sips(args []string) (ok bool) {
	var files []string
	out, changes := "", false
	for i := 0; i < len(args); i++ {
		a := args[i]
		n, known := sipsTakes[a]
		switch {
		case known && i+n < len(args):
			i, changes = i+n, true
		case (a == "-o" || a == "--out") && i+1 < len(args):
			i++
			out = args[i]
		case a == "" || a[0] == '-':
			return false
		default:
			files = append(files, a)
		}
	}
	if !changes || len(files) == 0 {
		return false
	}
	m.spawn(effect.OpRun, "sips")
	for _, f := range files {
		m.read(f)
		if out == "" {
			m.write(f, effect.OpCreate) // what was in it is gone
		}
	}
	if out != "" {
		m.write(out, effect.OpCreate)
	}
	return true
}
