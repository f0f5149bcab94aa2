package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges what inline code asks a server of this machine over HTTP: as curl that asks it
// the same. Another address is left to the reading of the code, which asks.

// localURL says whether a text is an address of this machine, whatever stands behind the host and
// the port.
func localURL(url string) bool {
	rest, ok := strings.CutPrefix(url, "http://")
	if !ok {
		if rest, ok = strings.CutPrefix(url, "https://"); !ok {
			return false
		}
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority := rest[:end]
	for _, host := range [...]string{"localhost", "127.0.0.1", "[::1]"} {
		port, ok := strings.CutPrefix(authority, host)
		if ok && (port == "" || port[0] == ':' && strings.Trim(port[1:], "0123456789") == "" && len(port) > 1) {
			return true
		}
	}
	return false
}

// curls is the line of curl that asks an address; what is sent with it is not known.
func curls(method, url string, sends bool) []string {
	line := []string{"curl", "-sSL", "-X", method}
	if method == "HEAD" {
		line = []string{"curl", "-sSL", "-I"}
	}
	if sends {
		line = append(line, "--data-raw", string(rune(mark.Unknown)))
	}
	return append(line, url)
}
