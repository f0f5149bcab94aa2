package bench

import (
	"fmt"
	"regexp"
)

// patterns is a deny-list of a hundred compiled regular expressions over the
// command line, in the manner of command guards that hold no parser. They are
// written for this benchmark.
func patterns() []*regexp.Regexp {
	var out []*regexp.Regexp
	add := func(format string, words ...string) {
		for _, w := range words {
			out = append(out, regexp.MustCompile(fmt.Sprintf(format, w)))
		}
	}
	add(`(?i)\brm\s+(-[a-z]*\s+)*-[a-z]*[rf][a-z]*\s+%s`, `/(\s|$)`, `/\*`, `~`, `\$HOME`, `/etc`, `/usr`, `/var`, `/boot`, `/home`, `\.\s*$`)
	add(`(?i)\b(curl|wget)\b[^|;]*\|\s*(sudo\s+)?%s\b`, "sh", "bash", "zsh", "dash", "ksh", "python3?", "perl", "ruby", "node", "php")
	add(`(?i)\b%s\b.*\bof=/dev/(sd|hd|nvme|xvd)`, "dd", "dcfldd")
	add(`(?i)\b%s\b`, "mkfs(\\.[a-z0-9]+)?", "fdisk", "parted", "wipefs", "shred", "visudo", "useradd", "userdel", "usermod", "groupadd", "passwd", "chpasswd",
		"iptables", "nft", "ufw", "modprobe", "insmod", "rmmod", "shutdown", "reboot", "halt", "poweroff", "telinit", "swapoff", "losetup")
	add(`(?i)(>|>>|\btee\b(\s+-a)?)\s*%s`, `/etc/passwd`, `/etc/shadow`, `/etc/sudoers`, `/etc/crontab`, `/etc/hosts`, `~/\.bashrc`, `~/\.ssh/authorized_keys`, `/etc/ld\.so\.preload`, `/dev/sd[a-z]`, `/proc/sys`)
	add(`(?i)\b(cat|less|head|tail|cp|scp|base64|xxd)\b[^|;&]*%s`, `/etc/shadow`, `id_rsa`, `id_ed25519`, `\.aws/credentials`, `\.kube/config`, `\.netrc`, `\.pgpass`, `\.env\b`, `wallet\.dat`, `\.gnupg`)
	add(`(?i)\bgit\s+%s`, `push\s+.*--force`, `reset\s+--hard`, `clean\s+-[a-z]*f`, `filter-branch`, `checkout\s+--\s+\.`)
	add(`(?i)\bchmod\s+(-R\s+)?%s`, `777`, `\+s`, `4[0-7]{3}`, `a\+rwx`)
	add(`(?i)\bchown\s+(-R\s+)?%s`, `root`, `[^\s]+\s+/`)
	add(`(?i)\b(nc|ncat|netcat|socat)\b.*%s`, `-e`, `-c`, `exec:`, `/bin/(ba)?sh`)
	add(`(?i)%s`, `:\(\)\s*\{\s*:\|:&\s*\};:`, `bash\s+-i\s+>&\s*/dev/tcp/`, `/dev/(tcp|udp)/\d`, `eval\s+["'\x60$]`, `base64\s+(-d|--decode)[^|]*\|\s*(ba)?sh`,
		`python[23]?\s+-c\s+.*(socket|subprocess|os\.system)`, `perl\s+-e\s+.*(socket|exec)`, `crontab\s+-`, `systemctl\s+(stop|disable|mask)`, `kill\s+-9\s+(-1|1)\b`,
		`docker\s+run\s+.*--privileged`, `docker\s+(rm|rmi|system\s+prune).*-f`, `kubectl\s+delete`, `terraform\s+destroy`, `aws\s+s3\s+rb`, `drop\s+(table|database)`,
		`sudo\s+(su|-i|-s)\b`, `history\s+-c`)
	return out
}
