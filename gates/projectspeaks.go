package gates

import (
	"slices"
	"strings"
)

// This file says whether a project's code speaks to other machines, by the names of what does.

// clients are what speaks to another machine, in Python, Node.js, Ruby and PHP.
var clients = [...]string{
	"requests.", "httpx", "boto", "httplib2", "httpclient", "urllib3", "google.cloud", "azure.", "urlopen", "urllib.request", "urlretrieve", "aiohttp", "http.client", "HTTPConnection", "HTTPSConnection", ".connect(", "create_connection", "open_connection", "connect_ex", "sendto(", "smtplib", "ftplib", "paramiko", "telnetlib", "xmlrpc", "pycurl",
	"fetch(", "axios", "node-fetch", "XMLHttpRequest", "sendBeacon", "'ky'", "\"ky\"", "http.request", "http.get", "https.", "node:https", "'https'", "\"https\"", "net.", "tls.", "dgram", "WebSocket", "got(", "undici", "nodemailer", "superagent", "needle", "dns",
	"Net::", "TCPSocket", "UDPSocket", "open-uri", "Faraday", "HTTParty", "RestClient", "curl_", "fsockopen", "stream_socket", "file_get_contents(\"http", "file_get_contents('http", "file_get_contents($", "socket", "getaddrinfo", "mail(", "Guzzle",
}

// otherLanguages are those of them that are ordinary names in a language, where nothing that
// speaks is called so: what a library calls so comes in by an import of the library.
var otherLanguages = map[string][]string{
	"python": {"fetch(", "got(", "mail(", "net.", "tls.", "https.", "'https'", "\"https\"", "'ky'", "\"ky\""},
	"node":   {"requests.", "mail("},
}

// speaksHere says whether code speaks to no machine, or to this one by name and to none
// else.
func speaksHere(lang, text string) bool {
	return !slices.ContainsFunc(clients[:], func(s string) bool { return speaks(strings.TrimRight(lang, "0123456789."), text, s) }) || addressesHere(text)
}

// speaks says whether code uses what speaks, under its whole name.
func speaks(lang, text, client string) bool {
	if isAmong(otherLanguages[lang], client) {
		return false
	}
	for i := 0; ; {
		k := strings.Index(text[i:], client)
		if k < 0 {
			return false
		}
		k += i
		i = k + len(client)
		switch {
		case wordByte(client[0]) && k > 0 && wordByte(text[k-1]) && (strings.HasSuffix(client, "(") || strings.HasSuffix(client, ".")): // planet., prefetch(
		case lang == "node" && client == "socket" && !inName(text, k):
		case lang == python && client == ".connect(" && fileDatabase(text, k):
		default:
			return true
		}
	}
}

// inName says whether the word at a place stands in a name in quotes, as a module's does:
// elsewhere it is a variable or a member, which an import or a listed name gave somebody.
func inName(text string, k int) bool {
	for k > 0 && (wordByte(text[k-1]) || firstByte("@/.:-", text[k-1]) >= 0) {
		k--
	}
	return k > 0 && firstByte("'\"`", text[k-1]) >= 0
}

// fileDatabase says whether the connection that is opened at a place is one of Python's sqlite3,
// which is a file (docs.python.org/3/library/sqlite3.html).
func fileDatabase(text string, k int) bool {
	const module = "sqlite3"
	rest, ok := cutSuffix(text[:k], module)
	if !ok || rest != "" && (wordByte(rest[len(rest)-1]) || rest[len(rest)-1] == '.') {
		return false
	}
	for line := range strings.Lines(text) { // and nothing else bears its name
		if line = strings.TrimSpace(line); strings.Contains(line, " as "+module) || strings.HasPrefix(line, module) && !strings.HasPrefix(line, module+".") || strings.HasPrefix(line, "from ") && strings.Contains(line, "import") && strings.Contains(line, module) && !strings.HasPrefix(line, "from "+module+" ") {
			return false
		}
	}
	return strings.Contains(text, "import "+module)
}
