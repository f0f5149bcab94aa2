package class

import (
	"strconv"
	"strings"
)

// keptPlace says whether what lies at a path is run again without being asked
// for: at a login (bash(1), zsh(1), fish(1)), at a start (systemd.unit(5),
// launchd(8), the XDG autostart specification, rc(8)), by a clock (cron(8)), or
// lets somebody in again (sshd(8), AUTHORIZED_KEYS).
func keptPlace(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case ".bash_login", ".bash_logout", ".bash_profile", ".bashrc", ".profile", ".zlogin", ".zprofile", ".zshenv", ".zshrc", "authorized_keys", "authorized_keys2", "config.fish", "crontab", "rc.local":
		return strings.Contains(path, "/")
	}
	for _, dir := range [...]string{
		"/.config/autostart/", "/.config/systemd/user/", "/LaunchAgents/", "/LaunchDaemons/", "/etc/cron.d/", "/etc/cron.daily/", "/etc/cron.hourly/", "/etc/init.d/",
		"/etc/profile.d/", "/etc/systemd/system/", "/etc/xdg/autostart/", "/lib/systemd/system/", "/var/spool/cron/", "/Start Menu/Programs/Startup/",
	} {
		if strings.Contains(path, dir) {
			return true
		}
	}
	return strings.Contains(path, `CurrentVersion\Run`) // run keys of the Windows registry
}

// keepsRunning says whether a document is one that makes something run again:
// a table of cron (crontab(5)), a unit with a start (systemd.service(5),
// systemd.timer(5)), or a job of launchd (launchd.plist(5)).
func keepsRunning(text string) bool {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "[Service]" || line == "[Timer]":
			section = line
		case section == "[Service]" && strings.HasPrefix(line, "ExecStart="), section == "[Timer]" && strings.HasPrefix(line, "On"):
			return true
		case strings.HasPrefix(line, "<key>RunAtLoad</key>"), strings.HasPrefix(line, "<key>StartInterval</key>"), strings.HasPrefix(line, "<key>StartCalendarInterval</key>"):
			return true
		case cronLine(line):
			return true
		}
	}
	return false
}

// cronFields are the least and the most of a crontab's fields (crontab(5)).
var cronFields = [...][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}

// cronLine says whether a line is one of a crontab: five fields, one of them a
// star, and a command; or a word for them.
func cronLine(line string) bool {
	if len(line) > 1024 {
		line = line[:1024]
	}
	f := strings.Fields(line)
	if len(f) < 2 {
		return false
	}
	switch f[0] {
	case "@reboot", "@hourly", "@daily", "@weekly", "@monthly", "@yearly", "@annually", "@midnight":
		return f[1][0] == '/' || len(f) > 2
	}
	if len(f) < 6 || !letter(f[5][0]) && strings.IndexByte("/.~$", f[5][0]) < 0 {
		return false
	}
	star := false
	for i, bounds := range cronFields {
		if !cronField(f[i], bounds[0], bounds[1]) {
			return false
		}
		star = star || f[i][0] == '*'
	}
	return star
}

func cronField(s string, least, most int) bool {
	for _, part := range strings.FieldsFunc(s, func(c rune) bool { return c == ',' || c == '-' }) {
		value, step, stepped := strings.Cut(part, "/")
		if n, err := strconv.Atoi(value); value != "*" && (err != nil || n < least || n > most) {
			return false
		}
		if _, err := strconv.Atoi(step); stepped && err != nil {
			return false
		}
	}
	return true
}
