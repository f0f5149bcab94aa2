package shell

import "testing"

func TestAsSwitch(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"/p:A=B", "-pA=B"},
		{"/m", "-m"},
		{"/CLP:Summary", "-clp=Summary"},
		{"-verbosity:q", "-verbosity=q"},
		{"-verbosity", "-verbosity"},
		{"/home/me/a.sln", "/home/me/a.sln"},
		{"/tmp/x:y", "/tmp/x:y"},
		{"--filter:x", "--filter:x"},
		{"/", "/"},
		{"a:b", "a:b"},
	} {
		if got := asSwitch(c.word); got != c.want {
			t.Errorf("%s: %s, want %s", c.word, got, c.want)
		}
	}
}
