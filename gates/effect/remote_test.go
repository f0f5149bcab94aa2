package effect

import "testing"

func TestRemote(t *testing.T) {
	for address, want := range map[string]string{
		"git@github.com:acme/shop.git":           "github.com/acme/shop",
		"ssh://git@github.com:22/Acme/Shop.git/": "github.com/acme/shop",
		"https://user:token@gitlab.com/a/b/c":    "gitlab.com/a/b/c",
		"https://github.com/acme/shop.git":       "github.com/acme/shop",
		"git://example.org/x":                    "",
		"http://github.com/acme/shop":            "",
		"https://github.com:443/acme/shop":       "github.com/acme/shop",
		"https://github.com:8443/acme/shop":      "github.com:8443/acme/shop",
		"https://github.com@h.example/acme/shop": "h.example/acme/shop",
		"host:x":                                 "host/x",
		"/srv/git/x.git":                         "",
		"./a:b":                                  "",
		"file:///srv/x.git":                      "",
		"ext::sh -c x":                           "ext/:sh -c x", // no remote has that name
		"https://github.com/acme/../evil/x":      "",
		"https://github.com":                     "",
		"origin":                                 "",
		"":                                       "",
	} {
		if got := Remote(address); got != want {
			t.Errorf("Remote(%q) = %q, want %q", address, got, want)
		}
	}
}
