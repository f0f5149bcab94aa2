package effect

import (
	"slices"
	"strings"
)

// Sensitive says whether a path holds secrets or private records: keys and
// credentials of the tools that keep them in files, password databases, shell
// and database histories, browsers' stores and the memory and environment of
// processes. The lists come from the tools' own manuals.
func Sensitive(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	if base == "" {
		return false
	}
	return sensitiveBase(base) || sensitiveDir(path) || processMemory(path)
}

func sensitiveBase(base string) bool {
	if _, ok := slices.BinarySearch(sensitiveNames[:], base); ok {
		return true
	}
	if strings.HasPrefix(base, ".env") {
		return envFile(base)
	}
	if strings.HasPrefix(base, "id_") && !strings.HasSuffix(base, ".pub") {
		switch base {
		case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk":
			return true
		}
	}
	if name, ok := strings.CutSuffix(base, ".env"); ok {
		return !sampleName(name)
	}
	for _, s := range sensitiveSuffixes {
		if strings.HasSuffix(base, s) && len(base) >= len(s) {
			return true
		}
	}
	return false
}

// sampleName says whether a file's name says that it is a sample without values.
func sampleName(name string) bool {
	for _, w := range [...]string{"example", "sample", "template", "dist", "defaults"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// envFile tells the files that hold real settings from the samples that are
// checked in.
func envFile(base string) bool {
	switch base {
	case ".env", ".envrc":
		return true
	case ".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults", ".env.test.example":
		return false
	}
	return strings.HasPrefix(base, ".env.")
}

// sensitiveNames are base names of secret files. Sorted.
var sensitiveNames = [...]string{
	".bash_history", ".boto", ".dbshell", ".dockercfg", ".git-credentials", ".htpasswd", ".irb_history",
	".lesshst", ".mongorc.js", ".my.cnf", ".mylogin.cnf", ".mysql_history", ".netrc", ".node_repl_history",
	".npmrc", ".pgpass", ".psql_history", ".pypirc", ".python_history", ".rediscli_history", ".s3cfg",
	".sh_history", ".sqlite_history", ".terraformrc", ".vault-token", ".viminfo", ".wgetrc", ".zhistory",
	".zsh_history", "Login Data", "NTDS.dit", "SAM", "_netrc", "accessTokens.json",
	"application_default_credentials.json", "auth.log", "authorized_keys", "azureProfile.json", "btmp",
	"cert9.db", "cookies.sqlite", "credentials.db", "credentials.json", "credentials.toml", "credentials.yaml",
	"credentials.yml", "gshadow",
	"gshadow-", "key3.db", "key4.db", "krb5.keytab", "lastlog", "logins.json", "master.key", "master.passwd",
	"msal_token_cache.json", "opasswd", "passwd", "passwd-", "secrets.json", "secrets.toml", "secrets.yaml",
	"secrets.yml", "secring.gpg", "service-account.json", "shadow", "shadow-", "ssh_host_dsa_key",
	"ssh_host_ecdsa_key", "ssh_host_ed25519_key", "ssh_host_rsa_key", "sudoers", "terraform.tfstate", "terraform.tfstate.backup",
	"token.json", "vault.hcl", "wallet.dat", "wp-config.php", "wtmp",
}

// sensitiveSuffixes are endings of secret files.
var sensitiveSuffixes = [...]string{".pem", ".p12", ".pfx", ".kdbx", ".keystore", ".jks", ".ppk", ".keytab", ".ovpn", ".key", "_rsa", ".gpg", ".asc.key", ".secret", ".tfvars", ".tfvars.json"}

// sensitiveDirs are directories below which everything is secret.
var sensitiveDirs = [...]string{
	"/.ssh", "/.gnupg", "/.aws", "/.azure", "/.kube", "/.docker/config.json", "/.config/gcloud", "/.config/gh",
	"/.config/op", "/.config/hub", "/.git/config", "/.config/rclone", "/.local/share/keyrings", "/.password-store", "/.mozilla", "/.config/google-chrome",
	"/.config/chromium", "/.config/BraveSoftware", "/.thunderbird", "/.electrum", "/.bitcoin", "/.ethereum", "/.cargo/credentials",
	"/.gem/credentials", "/.m2/settings.xml", "/.composer/auth.json", "/.codex/auth.json", "/.claude.json", "/.claude/.credentials",
	"/.terraform.d/credentials", "/.oci", "/.helm", "/.minikube", "/.config/sops", "/.config/doctl", "/.config/heroku", "/.openclaw", "/.bash_sessions",
	"/Library/Keychains", "/Library/Cookies", "/Library/Messages", "/etc/sudoers.d", "/etc/ssl/private", "/etc/pki/tls/private", "/etc/letsencrypt", "/etc/kubernetes",
	"/etc/wireguard", "/etc/openvpn", "/etc/NetworkManager/system-connections", "/var/run/secrets", "/run/secrets",
	"/var/lib/docker", "/var/spool/cron", "/var/mail", "/var/spool/mail", "/var/log/audit", "/etc/security", "/etc/pam.d", "/etc/ssh",
}

func sensitiveDir(path string) bool {
	if !strings.Contains(path, "/.") && !strings.HasPrefix(path, "/etc/") && !strings.HasPrefix(path, "/var/") &&
		!strings.HasPrefix(path, "/run/") && !strings.Contains(path, "/Library/") {
		return false
	}
	for _, d := range sensitiveDirs {
		i := strings.Index(path, d)
		if i < 0 || i > 0 && !strings.HasPrefix(d, "/.") && !strings.HasPrefix(d, "/Library") {
			continue
		}
		end := i + len(d)
		if end == len(path) || path[end] == '/' || path[end] == '.' || path[end] == '-' || path[end] == 's' {
			return true
		}
	}
	return false
}

// processMemory says whether a path shows another process's memory,
// environment or files (proc(5)).
func processMemory(path string) bool {
	if !strings.HasPrefix(path, "/proc/") {
		return path == "/dev/mem" || path == "/dev/kmem" || path == "/dev/port"
	}
	if path == "/proc/kcore" || path == "/proc/kallsyms" {
		return true
	}
	rest := path[len("/proc/"):]
	i := strings.IndexByte(rest, '/')
	if i < 0 {
		return false
	}
	rest = rest[i+1:]
	switch {
	case rest == "environ", rest == "mem", rest == "maps", rest == "cmdline", rest == "auxv", rest == "root",
		strings.HasPrefix(rest, "root/"), strings.HasPrefix(rest, "cwd/"), strings.HasPrefix(rest, "task/"):
		return true
	}
	return false
}

// SensitiveTail judges a path with unknown parts by its known elements after
// the last one: whatever $d is, $d/.ssh/id_rsa is a key.
func SensitiveTail(path string) bool {
	i := len(path)
	for i > 0 && path[i-1] > MarkInside {
		i--
	}
	tail := path[i:]
	if tail == "" || tail[0] != '/' {
		return false
	}
	return Sensitive(Clean(tail))
}

// SensitiveGlob says whether a pattern can match a sensitive path. A pattern
// with fewer than three known characters in its last element is too general to
// aim at one.
func SensitiveGlob(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	known := 0
	for i := 0; i < len(base); i++ {
		if end := strings.IndexByte(base[i:], ']'); base[i] == MarkClass && end > 0 {
			i += end
		} else if base[i] > MarkInside {
			known++
		}
	}
	if !HasMark(base) {
		return known > 0 && sensitiveBase(base)
	}
	if known < 3 {
		return false
	}
	for _, n := range sensitiveNames {
		// Most of the name must be spelled out: *.log is not after auth.log.
		if known*10 >= len(n)*6 && Match(base, n) {
			return true
		}
	}
	for _, n := range [...]string{".env", ".envrc", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"} {
		if Match(base, n) {
			return true
		}
	}
	for _, s := range sensitiveSuffixes {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return false
}

// Match says whether name can be what pattern, a word with markers, stands
// for. It runs in time len(pattern) * len(name).
func Match(pattern, name string) bool {
	px, nx := 0, 0
	starP, starN := -1, 0
	for nx < len(name) {
		if px < len(pattern) {
			switch c := pattern[px]; {
			case c == MarkOne:
				px++
				nx++
				continue
			case c == MarkClass && strings.IndexByte(pattern[px:], ']') > 0:
				px += strings.IndexByte(pattern[px:], ']') + 1
				nx++
				continue
			case c <= MarkInside:
				starP, starN = px, nx
				px++
				continue
			case c == name[nx]:
				px++
				nx++
				continue
			}
		}
		if starP < 0 {
			return false
		}
		starN++
		px, nx = starP+1, starN
	}
	for px < len(pattern) && pattern[px] <= MarkInside && pattern[px] != MarkOne && pattern[px] != MarkClass {
		px++
	}
	return px == len(pattern)
}

// SecretVariable says whether an environment variable's name says that it
// holds a secret.
func SecretVariable(name string) bool {
	up := strings.ToUpper(name)
	for _, w := range [...]string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"} {
		if strings.Contains(up, w) {
			return true
		}
	}
	return false
}

// guardedNames are elements of workspace paths whose change runs code later or
// changes what an agent may do: hooks, CI pipelines, settings of editors and
// agents (package hosts/settings has where they are), direnv. Sorted.
var guardedNames = [...]string{
	".bash_profile", ".bashrc", ".claude", ".codex", ".cursor", ".envrc", ".gemini", ".git", ".gitconfig",
	".gitlab-ci.yml", ".gitmodules", ".husky", ".idea", ".mcp.json", ".npmrc", ".opencode", ".openhands", ".profile", ".ssh",
	".vscode", ".zshrc", "opencode.json", "opencode.jsonc", "sitecustomize.py", "usercustomize.py",
}

// Guarded says whether a path relative to a workspace root must not be changed
// without review.
func Guarded(rel string) bool {
	if rel == "" {
		return true
	}
	for s := rel; s != ""; {
		elem := s
		if i := strings.IndexByte(s, '/'); i >= 0 {
			elem, s = s[:i], s[i+1:]
		} else {
			s = ""
		}
		if len(elem) == 0 || elem[0] != '.' && elem[0] != 'o' && elem[0] != 's' && elem[0] != 'u' {
			continue
		}
		if _, ok := slices.BinarySearch(guardedNames[:], elem); ok {
			return true
		}
	}
	return strings.HasPrefix(rel, ".github/workflows")
}

// GuardedGlob says whether a pattern below a root aims at a guarded path.
func GuardedGlob(rel string) bool {
	if !strings.HasPrefix(rel, ".") && !strings.Contains(rel, "/.") {
		return false
	}
	elem := rel
	if i := strings.IndexByte(rel, '/'); i >= 0 {
		elem = rel[:i]
	}
	if !HasMark(elem) {
		return Guarded(elem)
	}
	for _, n := range guardedNames {
		if Match(elem, n) {
			return true
		}
	}
	return false
}
