package redact

// This file is where a pattern for a secret is added. One that is a secret
// wherever it stands, by how it looks, goes into anywhere: what is sent is
// stopped for it, and logs and prompts do not show it. One that is a secret by
// where it stands in a line goes into inLogs. What is a secret by its name, in an
// argument, an option, a variable or a header, has no pattern: its name is a row
// of internal/gates/names/names.go.

// pattern is a rule of this package's own: a regular expression whose first
// group is the secret, and a word in lower case that must occur.
type pattern struct{ name, keyword, regex string }

// anywhere are the rules beside those of rules.json, whose source looks for
// credentials in files.
var anywhere = [...]pattern{
	// In files, a password in a URL is mostly an example.
	{"uri-password", "://", `(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'"]{1,64}:([^\s/@'"]{3,128})@`},
}

// quoted is one word of a command line with its quotes, headerNames the place of
// the names of headers that package effect lists.
const (
	quoted      = `("[^"]*"|'[^']*'|[^\s"';|&<>]+)`
	headerNames = `<headers>`
)

// inLogs find secrets by where they stand in a line; the first group is the
// secret. Which options of which programs are passwords is from their manuals.
// Password detectors leave these out, since files hold mostly examples of them.
var inLogs = [...]string{
	// Headers: Authorization: Basic ..., X-Api-Key: ..., Cookie: ...
	`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:[a-z][a-z0-9-]*\s+)?([^\s"']+)`,
	`(?i)\b(?:[a-z0-9]+-)*` + headerNames + `\s*:\s*["']?([^\s"',;]+)`,
	`(?i)\b(?:set-)?cookie\s*:\s*([^"'\n]+)`,
	// Client programs whose -p holds the password in the same word (mysql(1), 7z).
	`\b(?:mysql\w*|mariadb[\w-]*|7za?|7zr|rar|unrar)\s(?:[^|;&\n]*?\s)?-p` + quoted,
	// Ones where it is a word, or the rest of this one.
	`\bsshpass\s(?:[^|;&\n]*?\s)?-p\s*` + quoted,
	`\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc)\s(?:[^|;&\n]*?\s)?login\s(?:[^|;&\n]*?\s)?-p\s*=?\s*` + quoted,
	`\b(?:mongo|mongosh|mongodump|mongorestore|cqlsh)\s(?:[^|;&\n]*?\s)?-p\s*` + quoted,
	`\b(?:redis-cli|valkey-cli)\s(?:[^|;&\n]*?\s)?-a\s*` + quoted,
	`\b(?:ldap(?:search|add|modify|delete|passwd|whoami))\s(?:[^|;&\n]*?\s)?-w\s*` + quoted,
	`\b(?:sqlcmd|bcp|zip|unzip|mosquitto_pub|mosquitto_sub|ipmitool|tsql)\s(?:[^|;&\n]*?\s)?-P\s*` + quoted,
	`\bhtpasswd\s+-[a-zA-Z]*b[a-zA-Z]*\s+(?:-\S+\s+)*\S+\s+\S+\s+` + quoted,
	// USER:PASSWORD (curl -u, httpie -a) and USER%PASSWORD (smbclient -U).
	`\b(?:curl|http|https|xh|wget)\s(?:[^|;&\n]*?\s)?(?:-u|-a|-U|--user|--proxy-user|--auth)[\s=]*["']?[^\s"':]*:([^\s"']+)`,
	`\b(?:smbclient|rpcclient|net)\s(?:[^|;&\n]*?\s)?(?:-U|--user)[\s=]*["']?[^\s"'%]*%([^\s"']+)`,
	// openssl's sources of passwords, and its keys.
	`\bpass:([^\s"';|&]+)`,
	`\bopenssl\s(?:[^|;&\n]*?\s)?-(?:k|K)\s+` + quoted,
}
