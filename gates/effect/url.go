package effect

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// defaultPort returns the registered port of a scheme (IANA service names).
func defaultPort(scheme string) uint16 {
	switch scheme {
	case "http", "ws":
		return 80
	case "https", "wss":
		return 443
	case "ftp":
		return 21
	case "ftps":
		return 990
	case "ssh", "sftp", "scp":
		return 22
	case "git":
		return 9418
	case "rsync":
		return 873
	case "smtp":
		return 25
	case "smtps":
		return 465
	case "ldap":
		return 389
	case "telnet":
		return 23
	case "tftp":
		return 69
	}
	return 0
}

// ParseURL makes a URL or a host[:port] canonical: lower-case scheme and host,
// percent escapes in the host undone, IDN hosts in their ASCII form, the
// default port explicit, numeric IPv4 forms (0x7f.1, 2130706433) as dotted
// quads. ok is false if no host can be told.
//
// The IDN conversion is Punycode (RFC 3492) over Unicode lower case. Full
// UTS 46 mapping and NFC need tables that the standard library lacks; a host
// that such a mapping would change beyond letter case keeps its own Punycode
// form, which never equals an allowed ASCII name.
func ParseURL(raw, scheme string) (n Net, ok bool) {
	rest := raw
	if i := strings.Index(rest, "://"); i > 0 && isScheme(rest[:i]) {
		scheme, rest = strings.ToLower(rest[:i]), rest[i+3:]
	} else {
		rest = strings.TrimPrefix(rest, "//")
	}
	n.Scheme = scheme
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if strings.IndexByte(rest, '\\') >= 0 {
		return n, false // the path begins there for a browser, and not for curl: two hosts
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	host, port := splitPort(rest)
	n.Port = defaultPort(scheme)
	if v, err := strconv.ParseUint(port, 10, 16); err == nil {
		n.Port = uint16(v)
	}
	host = strings.TrimRight(strings.ToLower(unescapePercent(host)), ".")
	if host == "" || !hostBytes(host) {
		return n, false
	}
	if ip, isIP := address(host); isIP {
		n.IP = ip
		return n, true
	}
	if strings.ContainsAny(host, "[]:") {
		return n, false
	}
	n.Domain = asciiHost(host)
	return n, n.Domain != ""
}

// hostBytes says whether a host holds only what names and addresses may hold:
// letters, digits, dots, dashes, underscores, brackets, colons and bytes
// outside ASCII.
func hostBytes(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf || strings.IndexByte(".-_[]:", c) >= 0) {
			return false
		}
	}
	return true
}

func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		if !(c >= 'a' && c <= 'z') && !(i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '.' || s[i] == '-')) {
			return false
		}
	}
	return s != ""
}

func splitPort(s string) (host, port string) {
	if strings.HasPrefix(s, "[") {
		if i := strings.IndexByte(s, ']'); i > 0 {
			return s[:i+1], strings.TrimPrefix(s[i+1:], ":")
		}
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 && strings.IndexByte(s, ':') == i {
		return s[:i], s[i+1:]
	}
	return s, ""
}

// address reads IPv6 in brackets and every form of IPv4 that inet_aton(3)
// takes: one to four parts, each decimal, octal or hexadecimal.
func address(host string) (string, bool) {
	if strings.HasPrefix(host, "[") || strings.Count(host, ":") > 1 {
		return strings.Trim(host, "[]"), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var v uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || p == "" {
			return "", false
		}
		if i == len(parts)-1 {
			v = v<<(8*uint(5-len(parts))) | n
		} else {
			v = v<<8 | n&0xff
		}
	}
	b := [4]string{}
	for i := range b {
		b[i] = strconv.FormatUint(v>>(8*uint(3-i))&0xff, 10)
	}
	return strings.Join(b[:], "."), true
}

func asciiHost(host string) string {
	ascii := true
	for i := 0; i < len(host); i++ {
		if host[i] >= utf8.RuneSelf {
			ascii = false
		}
	}
	if ascii {
		return host
	}
	host = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".").Replace(host)
	labels := strings.Split(host, ".")
	for i, l := range labels {
		enc, ok := punycode(l)
		if !ok {
			return ""
		}
		labels[i] = enc
	}
	return strings.Join(labels, ".")
}

// maxLabel is the longest DNS label (RFC 1035, 2.3.4).
const maxLabel = 63

// punycode encodes one label (RFC 3492, 6.3). ASCII labels stay as they are.
func punycode(label string) (string, bool) {
	var runes []rune
	var out []byte
	for _, r := range label {
		r = unicode.ToLower(r)
		if r == utf8.RuneError || len(runes) > maxLabel {
			return "", false
		}
		runes = append(runes, r)
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	if len(out) == len(runes) {
		return string(out), true
	}
	basic := len(out)
	h := basic
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(128), 0, 72
	for h < len(runes) {
		m := rune(unicode.MaxRune + 1)
		for _, r := range runes {
			if r >= n && r < m {
				m = r
			}
		}
		delta += int(m-n) * (h + 1)
		n = m
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r == n {
				out = punyDigits(out, delta, bias)
				bias = punyAdapt(delta, h+1, h == basic)
				delta = 0
				h++
			}
		}
		delta++
		n++
	}
	return "xn--" + string(out), true
}

func punyDigits(out []byte, q, bias int) []byte {
	digit := func(d int) byte {
		if d < 26 {
			return byte('a' + d)
		}
		return byte('0' + d - 26)
	}
	for k := 36; ; k += 36 {
		t := min(max(k-bias, 1), 26)
		if q < t {
			return append(out, digit(q))
		}
		out = append(out, digit(t+(q-t)%(36-t)))
		q = (q - t) / (36 - t)
	}
}

func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= 700
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > 455 {
		delta /= 35
		k += 36
	}
	return k + 36*delta/(delta+38)
}

// Login says whether the address of a connection names a user or a password (RFC 3986,
// section 3.2.1).
func (e *Effect) Login() bool {
	_, rest, ok := strings.Cut(e.Resource, "://")
	if !ok || e.Kind != Network {
		return false
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return strings.Contains(rest, "@")
}

// UsualPort says whether a connection goes to the port that its scheme has where none is
// named, as far as that is known.
func (n *Net) UsualPort() bool {
	p := defaultPort(n.Scheme)
	return p == 0 || n.Port == 0 || n.Port == p
}
