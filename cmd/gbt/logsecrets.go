package main

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/content/secrets"
)

// secretWords are parts of names that say that a value is a secret, without the
// signs between their words; see secretName.
var secretWords = [...]string{
	"password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "privatekey", "accesskey", "authkey", "signingkey", "credential",
	"authorization", "cookie", "sessionid", "sessionkey", "cvv", "cvc",
}

// secretNames are whole words of names that do: as a part of another word they
// say nothing ("shipping", "opinion").
var secretNames = [...]string{"auth", "otp", "pass", "pin", "pw", "session", "totp"}

// secretName says whether an argument is named as a secret is.
func secretName(path string) bool {
	words := nameWords(path[strings.LastIndexByte(path, '.')+1:])
	joined := strings.Join(words, "")
	for _, w := range secretWords {
		if strings.Contains(joined, w) {
			return true
		}
	}
	for _, w := range words {
		for _, n := range secretNames {
			if w == n {
				return true
			}
		}
	}
	return false
}

// nameWords takes a name apart: api-key, api_key, apiKey, X-Api-Key.
func nameWords(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z' && i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z':
			b.WriteByte(' ')
			b.WriteByte(c)
		case c == '-' || c == '_' || c == '.' || c == '/':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// word is one word of a command line with its quotes.
const word = `("[^"]*"|'[^']*'|[^\s"';|&<>]+)`

// secretForms find secrets by where they stand in a line; the first group is the
// secret. Which options of which programs are passwords is from their manuals.
// Password detectors leave these out, since files hold mostly examples of them.
var secretForms = [...]*regexp.Regexp{
	// Headers: Authorization: Basic ..., X-Api-Key: ..., Cookie: ...
	regexp.MustCompile(`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:[a-z][a-z0-9-]*\s+)?([^\s"']+)`),
	regexp.MustCompile(`(?i)\b(?:[a-z0-9]+-)*(?:key|token|secret|auth|password|session)\s*:\s*["']?([^\s"',;]+)`),
	regexp.MustCompile(`(?i)\b(?:set-)?cookie\s*:\s*([^"'\n]+)`),
	// Client programs whose -p holds the password in the same word (mysql(1), 7z).
	regexp.MustCompile(`\b(?:mysql\w*|mariadb[\w-]*|7za?|7zr|rar|unrar)\s(?:[^|;&\n]*?\s)?-p` + word),
	// Ones where it is a word, or the rest of this one.
	regexp.MustCompile(`\bsshpass\s(?:[^|;&\n]*?\s)?-p\s*` + word),
	regexp.MustCompile(`\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc)\s(?:[^|;&\n]*?\s)?login\s(?:[^|;&\n]*?\s)?-p\s*=?\s*` + word),
	regexp.MustCompile(`\b(?:mongo|mongosh|mongodump|mongorestore|cqlsh)\s(?:[^|;&\n]*?\s)?-p\s*` + word),
	regexp.MustCompile(`\b(?:redis-cli|valkey-cli)\s(?:[^|;&\n]*?\s)?-a\s*` + word),
	regexp.MustCompile(`\b(?:ldap(?:search|add|modify|delete|passwd|whoami))\s(?:[^|;&\n]*?\s)?-w\s*` + word),
	regexp.MustCompile(`\b(?:sqlcmd|bcp|zip|unzip|mosquitto_pub|mosquitto_sub|ipmitool|tsql)\s(?:[^|;&\n]*?\s)?-P\s*` + word),
	regexp.MustCompile(`\bhtpasswd\s+-[a-zA-Z]*b[a-zA-Z]*\s+(?:-\S+\s+)*\S+\s+\S+\s+` + word),
	// USER:PASSWORD (curl -u, httpie -a) and USER%PASSWORD (smbclient -U).
	regexp.MustCompile(`\b(?:curl|http|https|xh|wget)\s(?:[^|;&\n]*?\s)?(?:-u|-a|-U|--user|--proxy-user|--auth)[\s=]*["']?[^\s"':]*:([^\s"']+)`),
	regexp.MustCompile(`\b(?:smbclient|rpcclient|net)\s(?:[^|;&\n]*?\s)?(?:-U|--user)[\s=]*["']?[^\s"'%]*%([^\s"']+)`),
	// openssl's sources of passwords, and its keys.
	regexp.MustCompile(`\bpass:([^\s"';|&]+)`),
	regexp.MustCompile(`\bopenssl\s(?:[^|;&\n]*?\s)?-(?:k|K)\s+` + word),
}

// namedSecret finds NAME=VALUE, NAME: VALUE, ['NAME'] = VALUE, NAME => VALUE and
// --NAME VALUE; secretName says whether the name is a secret's.
var namedSecret = regexp.MustCompile(`(--?)?\b([A-Za-z][A-Za-z0-9_.-]{1,60})(?:["']?\]?\s*(?:=>|[:=])\s*|\s+)` + word)

// redactForms takes the secrets out that stand where a password belongs.
func redactForms(text string) string {
	for _, re := range secretForms {
		text = replaceGroup(re, text, func([]int) int { return 2 })
	}
	return replaceGroup(namedSecret, text, func(m []int) int {
		name, gap := text[m[4]:m[5]], text[m[5]:m[6]]
		option := m[2] >= 0
		if !secretName(name) || !option && !strings.ContainsAny(gap, ":=") {
			return -1
		}
		return 6
	})
}

// replaceGroup puts a mark in the place of one group of each match. group names
// it by its place in a match's indices; a negative one leaves the match alone,
// and the search goes on behind its first word.
func replaceGroup(re *regexp.Regexp, text string, group func(m []int) int) string {
	var b strings.Builder
	done, from := 0, 0
	for from < len(text) {
		m := re.FindStringSubmatchIndex(text[from:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += from
			}
		}
		g := group(m)
		if g < 0 {
			from = max(m[5], from+1)
			continue
		}
		value := text[m[g]:m[g+1]]
		if from = m[g+1]; plainWord(value) {
			continue
		}
		b.WriteString(text[done:m[g]])
		b.WriteString(secrets.Mark("argument", strings.Trim(value, `"'`)))
		done = m[g+1]
	}
	b.WriteString(text[done:])
	return b.String()
}

// plainWord says whether a value is no secret itself: a mark already, the scheme in
// front of one, a variable (the log then says which), an option.
func plainWord(value string) bool {
	v := strings.Trim(value, `"'`)
	switch strings.ToLower(v) {
	case "", "<secret", "pass:", "basic", "bearer", "digest", "negotiate", "token", "true", "false", "null":
		return true
	}
	return strings.HasPrefix(v, "<secret ") || v[0] == '-' || v[0] == '$' && !strings.ContainsAny(v[1:], "$!#@%&*+?^~ ")
}
