package class

import (
	"encoding/base64"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/internal/gates/names"
)

// tokenForm is a kind of token by its prefix and the least that follows it.
type tokenForm struct {
	prefix string
	rest   int
}

// tokenForms are tokens as their issuers document them: AWS (IAM identifiers),
// GitHub (token formats), GitLab (token overview), Google Cloud (API keys),
// Hugging Face, npm, PyPI, SendGrid, Shopify, Slack (token types), Stripe (API
// keys), DigitalOcean, and the keys of model providers.
var tokenForms = [...]tokenForm{
	{"AKIA", 16}, {"ASIA", 16}, {"AIza", 35}, {"SG.", 40}, {"dop_v1_", 64}, {"ghp_", 36}, {"gho_", 36}, {"ghu_", 36}, {"ghs_", 36}, {"ghr_", 36},
	{"github_pat_", 60}, {"glpat-", 20}, {"hf_", 34}, {"npm_", 36}, {"pypi-", 80}, {"rk_live_", 24}, {"shpat_", 32}, {"sk-ant-", 40}, {"sk-proj-", 40},
	{"sk_live_", 24}, {"xapp-", 24}, {"xoxb-", 24}, {"xoxp-", 24},
}

// credentials says whether a text holds a private key, a token of a known form,
// an address with a password, or a constant under a name that is a secret's.
func credentials(text string, code bool) bool {
	return privateKey(text) || holdsToken(text) || passwordInAddress(text) || assignsSecret(text, code)
}

// privateKey finds the textual form of a private key (RFC 7468, sections 10 and
// 11; OpenSSH and OpenSSL use it with other labels) with some of the key in it.
func privateKey(text string) bool {
	const begin, end = "-----BEGIN ", "PRIVATE KEY-----"
	for {
		_, rest, ok := strings.Cut(text, begin)
		if !ok {
			return false
		}
		text = rest
		label := rest[:min(len(rest), 48)]
		i := strings.Index(label, end)
		if i < 0 {
			continue
		}
		body := rest[i+len(end):]
		body = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(body, "\r\n \t\"'+"), `\n`), "\r\n \t\"'+")
		n := 0
		for n < len(body) && (alnum(body[n]) || body[n] == '+' || body[n] == '/') {
			n++
		}
		if n >= 16 {
			return true
		}
	}
}

func tokenByte(c byte) bool { return alnum(c) || c == '_' || c == '-' || c == '.' }

// holdsToken looks at every word for a token of a known form.
func holdsToken(text string) bool {
	for i := 0; i < len(text); {
		if !tokenByte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && tokenByte(text[i]) {
			i++
		}
		if word := text[start:i]; len(word) >= 20 && (issued(word) || webToken(word)) {
			return true
		}
	}
	return false
}

func issued(word string) bool {
	for _, f := range tokenForms {
		if rest, ok := strings.CutPrefix(word, f.prefix); ok && len(rest) >= f.rest && random(rest) {
			return true
		}
	}
	return false
}

// random tells a token from the sample of one: it is varied, and does not say
// that it is an example.
func random(s string) bool {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n >= 10 && !standIn(s)
}

// webToken says whether a word is a signed JSON web token (RFC 7519): three parts
// in base64url, the first a header that names its algorithm (RFC 7515, 4.1.1).
func webToken(word string) bool {
	head, rest, ok := strings.Cut(strings.TrimRight(word, "."), ".")
	payload, signature, signed := strings.Cut(rest, ".")
	if !ok || !signed || !strings.HasPrefix(head, "eyJ") || len(payload) < 4 || len(signature) < 16 || len(head) > 1024 {
		return false
	}
	header, err := base64.RawURLEncoding.DecodeString(head)
	return err == nil && strings.Contains(string(header), `"alg"`)
}

// passwordInAddress finds scheme://user:password@host (RFC 3986, 3.2.1).
func passwordInAddress(text string) bool {
	for {
		_, rest, ok := strings.Cut(text, "://")
		if !ok {
			return false
		}
		text = rest
		host := rest[:min(len(rest), 256)]
		if i := strings.IndexAny(host, "/?# \t\r\n\"'`<>"); i >= 0 {
			host = host[:i]
		}
		at := strings.LastIndexByte(host, '@')
		if at < 0 {
			continue
		}
		if user, password, ok := strings.Cut(host[:at], ":"); ok && len(password) >= 6 && !strings.ContainsAny(password, "{}$%*()") && user != password && !standIn(password) {
			return true
		}
	}
}

// The longest name and value of an assignment that are read.
const (
	maxName  = 64
	maxValue = 256
)

// assignsSecret finds NAME = VALUE and NAME: VALUE, where the name is a secret's
// and the value a constant.
func assignsSecret(text string, code bool) bool {
	for i := range len(text) {
		if c := text[i]; c != '=' && c != ':' || i == 0 {
			continue
		}
		name := nameBefore(text, i)
		if len(name) < 3 || !names.SecretVariable(strings.Join(words(name), "_")) {
			continue
		}
		if value, ok := valueAfter(text[i+1:min(len(text), i+1+maxValue)], code); ok && constant(value) {
			return true
		}
	}
	return false
}

// nameBefore is the name that stands before the sign at i, quoted or not.
func nameBefore(text string, i int) string {
	end := i
	if text[i] == '=' && text[end-1] == ':' { // NAME := VALUE
		end--
	}
	for end > 0 && i-end < 8 && (text[end-1] == ' ' || text[end-1] == '"' || text[end-1] == '\'' || text[end-1] == ']') {
		end--
	}
	start := end
	for start > 0 && end-start < maxName && (alnum(text[start-1]) || text[start-1] == '_' || text[start-1] == '-') {
		start--
	}
	return text[start:end]
}

// valueAfter is the constant that follows a sign. Without quotes it ends with the
// word, and is none in code.
func valueAfter(rest string, code bool) (string, bool) {
	rest = strings.TrimLeft(rest, " \t")
	if rest == "" {
		return "", false
	}
	if q := rest[0]; q == '"' || q == '\'' || q == '`' {
		value, _, closed := strings.Cut(rest[1:], string(rune(q)))
		return value, closed
	}
	if code {
		return "", false
	}
	if i := strings.IndexAny(rest, " \t\r\n,;&\"'"); i >= 0 {
		rest = rest[:i]
	}
	return rest, true
}

// constant says whether a value can be a secret itself: letters and digits
// together, and neither a place, an expression nor a word that stands in for one.
func constant(v string) bool {
	if len(v) < 8 || len(v) >= maxValue || strings.ContainsAny(v, " \t\n<>{}$%*()[]|\\") || strings.Contains(v, "://") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, ".") {
		return false
	}
	return strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, unicode.IsLetter) && !standIn(v)
}

// standIn says whether a text says of itself that it stands for a secret.
func standIn(s string) bool {
	low := strings.ToLower(s)
	for _, w := range [...]string{"change", "dummy", "example", "placeholder", "redacted", "replace", "sample", "xxxx", "your"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// words are the words of a name in lower case: at signs between them, and where
// a small letter meets a capital.
func words(name string) []string {
	var out []string
	start := 0
	for i := range len(name) + 1 {
		sign := i == len(name) || !alnum(name[i])
		hump := !sign && i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z'
		if !sign && !hump {
			continue
		}
		if i > start {
			out = append(out, strings.ToLower(name[start:i]))
		}
		start = i
		if sign {
			start = i + 1
		}
	}
	return out
}
