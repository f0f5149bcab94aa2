package powershell

import "strings"

// others are programs of Windows that do something else than those of the same name elsewhere.
const others = " find expand convert print at comp label replace choice clip start time date mode path link recover format cipher compact "

// windowsTool writes programs that Windows has and that other systems have under other names
// (Microsoft, Windows commands).
func (e *emitter) windowsTool(low string, c *command, words []string, in *flow) (flow, bool) {
	var texts []string
	for _, a := range c.args {
		t := a.raw
		if a.value != nil {
			v := e.value(a.value)
			var ok bool
			if t, ok = v.text(); !ok || a.param != "" {
				return flow{}, false
			}
		}
		texts = append(texts, t)
	}
	sh := ""
	if low = strings.TrimSuffix(low, ".exe"); strings.Contains(others, " "+low+" ") {
		e.fail("a program that is another one on Windows: " + low)
	}
	switch low {
	case "py":
		for len(words) > 0 && strings.HasPrefix(words[0], "-3") {
			words = words[1:]
		}
		sh = "python3 " + strings.Join(words, " ")
	case "more":
		sh = "cat " + strings.Join(words, " ")
	case "timeout":
		if only(texts, " /t /nobreak ", " /t ") {
			sh = "sleep 1"
		}
	case "ipconfig":
		if len(texts) == 0 || len(texts) == 1 && strings.EqualFold(texts[0], "/all") {
			sh = "ip addr"
		}
	case "systeminfo":
		if only(texts, " /nh ", " /fo ") && (len(texts) == 0 || texts[0][0] == '/') {
			sh = "uname -a"
		}
	case "where":
		if len(words) == 0 || strings.HasPrefix(texts[0], "/") {
			return flow{}, false
		}
		sh = "command -v " + strings.Join(words, " ")
	case "tasklist":
		if only(texts, " /v /svc /nh /apps ", " /fo /fi ") && (len(texts) == 0 || texts[0][0] == '/') {
			sh = "ps"
		}
	case "taskkill":
		sh = taskkill(texts)
	case "findstr":
		sh = e.findstr(texts)
	case "cmd":
		if len(texts) < 2 || !strings.EqualFold(texts[0], "/c") {
			return flow{}, false
		}
		sh = e.cmd(strings.Join(texts[1:], " "))
	}
	if sh == "" {
		return flow{}, false
	}
	return flow{sh: e.redirected(e.piped(in, sh), c.redirs), str: true}, true
}

// only says whether words are options of a list, which have a value where valued has them, and numbers.
func only(words []string, alone, valued string) bool {
	for i := 0; i < len(words); i++ {
		w := strings.ToLower(words[i])
		switch {
		case w == "":
			return false
		case strings.Contains(valued, " "+w+" ") && i+1 < len(words) && !strings.HasPrefix(words[i+1], "/"):
			i++
		case strings.Contains(alone, " "+w+" "), strings.Trim(w, "0123456789") == "":
		default:
			return false
		}
	}
	return true
}

func taskkill(args []string) string {
	sh := ""
	for i := 0; i < len(args); i++ {
		switch a := strings.ToLower(args[i]); {
		case a == "/f" || a == "/t":
		case (a == "/pid" || a == "/im") && i+1 < len(args) && sh == "":
			i++
			sh = "kill -9 " + quoted(args[i])
			if a == "/im" {
				sh = "pkill -x " + quoted(strings.TrimSuffix(args[i], ".exe"))
			}
		default:
			return ""
		}
	}
	return sh
}

func (e *emitter) findstr(args []string) string {
	var words, dirs []string
	tree, text := false, ""
	for _, a := range args {
		low := strings.ToLower(a)
		switch {
		case low == "/s":
			tree = true
		case strings.HasPrefix(low, "/c:"):
			text = a[3:]
		case len(low) == 2 && low[0] == '/' && strings.Contains("bexilnmvpr", low[1:]):
		case strings.HasPrefix(low, "/"), strings.HasPrefix(low, "-"):
			return ""
		case text == "":
			text = a
		default:
			words = append(words, e.pathWords(a, false)...)
			dir := a[:strings.LastIndexAny(a, `/\:`)+1]
			if dir == "" {
				dir = "."
			}
			dirs = append(dirs, e.pathWords(dir, false)...)
		}
	}
	if text == "" || tree && len(dirs) == 0 {
		return ""
	}
	sh := "grep -e " + quoted(text) + " "
	if tree { // below the directories of its patterns, and what they name there
		sh += "-r " + strings.Join(dirs, " ") + " "
	}
	return sh + strings.Join(words, " ")
}

// cmd writes a line for cmd of plain words.
func (e *emitter) cmd(line string) string {
	if strings.ContainsAny(line, "&|<>^%!\"'()\n,;=`$*?[~@{}") {
		return ""
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	name, rest := strings.ToLower(words[0]), words[1:]
	for i, w := range rest {
		rest[i] = quoted(w)
		if strings.HasPrefix(w, "/") && name != "dir" {
			return ""
		}
	}
	switch name {
	case "dir":
		var dirs []string
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "/") {
				dirs = append(dirs, e.pathWords(w, false)...)
			}
		}
		return "ls -aR " + strings.Join(dirs, " ")
	case "type":
		return "cat " + strings.Join(rest, " ")
	case "echo", "ver":
		return "printf '%s ' x " + strings.Join(rest, " ")
	}
	return "" // cmd looks for programs in the directory where it is, first
}
