package effect

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

func places() Places {
	return Places{Cwd: "/w/repo/sub", Home: "/home/me", Roots: []string{"/w/repo"}, Links: []Link{{"/w/repo/out", "/etc"}, {"/w/repo/a", "/w/repo/b"}, {"/w/repo/b", "/w/repo/a"}}}.Normal()
}

func TestResolve(t *testing.T) {
	p := places()
	tests := []struct{ in, want string }{
		{"x.go", "/w/repo/sub/x.go"},
		{"../../x", "/w/x"},
		{"./a/.//../b/", "/w/repo/sub/b"},
		{"../../../../../..", "/"},
		{"~/x", "/home/me/x"},
		{"~root/x", "/root/x"},
		{"~bob", "/home/bob"},
		{"~$x", "/w/repo/sub/~$x"},
		{"file:///etc/%70asswd", "/etc/passwd"},
		{"/w/repo/out/shadow", "/etc/shadow"},
		{"../out/../passwd", "\x00/passwd"}, // to cd it is /w/repo/passwd
		{"//A:/X", "/a:/x"},
		{"../../../A:/X", "/a:/x"},
		{"", "/w/repo/sub"},
	}
	for _, tt := range tests {
		got := p.Resolve(p.Cwd, tt.in)
		if got != tt.want {
			t.Errorf("Resolve(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if again := p.Resolve(p.Cwd, got); again != got {
			t.Errorf("Resolve is not idempotent on %q: %q", got, again)
		}
	}
	if got := p.Resolve(p.Cwd, "/w/repo/a/x"); !strings.HasPrefix(got, "/w/repo/") {
		t.Errorf("a loop of links leads to %q", got)
	}
	three := Places{Cwd: "/w", Home: "/home/me", Roots: []string{"/w"}, Links: []Link{{"/w/a", "/w/b"}, {"/w/b", "/w/c"}, {"/w/c", "/w/a"}}}.Normal()
	if got := three.Resolve("/w", `a/x\y`); mark.Clean(got) == "/" { // a circle of three links ends
		t.Errorf("a circle of links leads to %q", got)
	}
}

func TestWhere(t *testing.T) {
	p := places()
	tests := []struct {
		path            string
		zone            Zone
		sens, protected bool
	}{
		{"/w/repo/x", ZoneWorkspace, false, false},
		{"/w/repository/x", ZoneOutside, false, true},
		{"/w/repo", ZoneWorkspace, false, true},
		{"/w/repo/.git/hooks/x", ZoneWorkspace, false, true},
		{"/w/repo/.env", ZoneWorkspace, true, false},
		{"/w/repo/.env.example", ZoneWorkspace, false, false},
		{"/tmp/x", ZoneTemp, false, false},
		{"/dev/null", ZoneStream, false, false},
		{"/dev/sda", ZoneDevice, false, true},
		{"/usr/include/stdio.h", ZonePublic, false, true},
		{"/etc/hosts", ZonePublic, false, true},
		{"/etc/crontab", ZoneSystem, false, true},
		{"/etc/shadow", ZoneSystem, true, true},
		{"/home/me/notes", ZoneHome, false, true},
		{"/home/me/.ssh/id_ed25519", ZoneHome, true, true},
		{"/root/x", ZoneSystem, false, true},
		{"/proc/7/environ", ZoneSystem, true, true},
		{"/", ZoneOutside, false, true},
		{"/w/repo/\x02", ZoneWorkspace, false, false},
		{"/w/repo/\x00", ZoneUnknown, false, true},
		{"/w/repo/x\x02/../..", ZoneOutside, false, true},
		{"/\x02/shadow", ZoneSystem, true, true},
		{"/w/repo/.e\x03v", ZoneWorkspace, true, false},
		{"\x01/etc/shadow", ZoneCaller, true, true},
		{"\x01", ZoneCaller, false, true},
		{"\x05", ZoneWorkspace, false, false},
		{"", ZoneUnknown, false, false},
	}
	for _, tt := range tests {
		z, s, pr := p.Where(tt.path)
		if z != tt.zone || s != tt.sens || pr != tt.protected {
			t.Errorf("Where(%q) = %v, sensitive %v, protected %v; want %v, %v, %v", tt.path, z, s, pr, tt.zone, tt.sens, tt.protected)
		}
	}
}

func TestUnknownPlacesHaveNamesOfTheirOwn(t *testing.T) {
	p := Places{}.Normal()
	if p.Cwd != UnknownRoot || p.Home != UnknownHome || len(p.Roots) != 1 || p.Roots[0] != UnknownRoot {
		t.Errorf("normal places of nothing: %+v", p)
	}
	if z, _, _ := p.Where(p.Resolve(p.Cwd, "../x")); z == ZoneWorkspace {
		t.Error("climbing out of an unknown root stays inside")
	}
}

func TestParseURL(t *testing.T) {
	tests := []struct {
		in, scheme string
		want       Net
		ok         bool
	}{
		{"HTTPS://Example.COM/x", "", Net{"https", "example.com", "", 443}, true},
		{"http://example.com:8080", "", Net{"http", "example.com", "", 8080}, true},
		{"example.com/x", "http", Net{"http", "example.com", "", 80}, true},
		{"http://user:pw@evil.example:1@good.example/", "", Net{"http", "good.example", "", 80}, true},
		{"http://good.example\\@evil.example/", "", Net{"http", "", "", 0}, false}, // evil.example for curl(1), good.example for a browser
		{"http://good.example/a\\@b", "", Net{"http", "good.example", "", 80}, true},
		{"http://%65xample.com", "", Net{"http", "example.com", "", 80}, true},
		{"http://example.com.", "", Net{"http", "example.com", "", 80}, true},
		{"http://bücher.example", "", Net{"http", "xn--bcher-kva.example", "", 80}, true},
		{"http://BÜCHER.example", "", Net{"http", "xn--bcher-kva.example", "", 80}, true},
		{"http://例え.テスト", "", Net{"http", "xn--r8jz45g.xn--zckzah", "", 80}, true},
		{"http://127.0.0.1/", "", Net{"http", "", "127.0.0.1", 80}, true},
		{"http://2130706433/", "", Net{"http", "", "127.0.0.1", 80}, true},
		{"http://0x7f.1/", "", Net{"http", "", "127.0.0.1", 80}, true},
		{"http://[::1]:9/", "", Net{"http", "", "::1", 9}, true},
		{"user@host.example", "ssh", Net{"ssh", "host.example", "", 22}, true},
		{"http:///x", "", Net{"http", "", "", 80}, false},
		{"\x00", "http", Net{"http", "", "", 80}, false},
	}
	for _, tt := range tests {
		got, ok := ParseURL(tt.in, tt.scheme)
		if got != tt.want || ok != tt.ok {
			t.Errorf("ParseURL(%q) = %+v, %v, want %+v, %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestTiers(t *testing.T) {
	tests := []struct {
		e    Effect
		want Tier
	}{
		{Effect{}, TierIrreversible},
		{Effect{Kind: Read}, TierReversible},
		{Effect{Kind: Write, Zone: ZoneWorkspace}, TierReversible},
		{Effect{Kind: Write, Zone: ZoneSystem}, TierCompensable},
		{Effect{Kind: Write, Zone: ZoneDevice}, TierIrreversible},
		{Effect{Kind: Delete, Zone: ZoneWorkspace}, TierReversible},
		{Effect{Kind: Delete, Zone: ZoneHome}, TierIrreversible},
		{Effect{Kind: Spawn, Op: OpBuild}, TierReversible},
		{Effect{Kind: Spawn, Op: OpRunUnknown}, TierIrreversible},
		{Effect{Kind: Network, Op: OpSend}, TierIrreversible},
		{Effect{Kind: Setting, Op: OpInstall}, TierCompensable},
	}
	for _, tt := range tests {
		if got := tt.e.Tier(); got != tt.want {
			t.Errorf("%v %v %v: tier %v, want %v", tt.e.Kind, tt.e.Op, tt.e.Zone, got, tt.want)
		}
	}
}

func TestHighRisk(t *testing.T) {
	if (&Effect{Kind: Read}).High() || (&Effect{Kind: List}).High() {
		t.Error("a plain read is high-risk")
	}
	for _, e := range []Effect{{}, {Kind: Read, Sensitive: true}, {Kind: Write}, {Kind: Delete}, {Kind: Spawn}, {Kind: Network}, {Kind: Setting}, {Kind: Signal}} {
		if !e.High() {
			t.Errorf("%v is not high-risk", e.Kind)
		}
	}
}

func TestZonesAreSorted(t *testing.T) {
	var dirs []string
	for _, z := range zonePrefixes {
		dirs = append(dirs, z.dir)
	}
	if len(dirs) == 0 || !slices.IsSorted(dirs) {
		t.Error("zonePrefixes is empty or unsorted")
	}
}

func TestEveryValueHasAName(t *testing.T) {
	for k := range NumKinds {
		if k.String() == "" || k.String() == "invalid" {
			t.Errorf("kind %d has no name", k)
		}
	}
	for o := range NumOps {
		if o.String() == "" {
			t.Errorf("op %d has no name", o)
		}
	}
	for z := range NumZones {
		if z.String() == "" {
			t.Errorf("zone %d has no name", z)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"x", "../..", "~/a", "/a//b/../c", "file:///%2e%2e/x", "\x01/..", "a\x02/../b", "//A:/0", `//A:/\`, `\\..\A:\0 `, "\x02/\\/../0/..\\", `C:\a\..:x`, `\\?\C:\b. .`, "/c:/x:y/.. "} {
		f.Add(s)
	}
	p := places()
	f.Fuzz(func(t *testing.T, path string) {
		got := p.Resolve(p.Cwd, path)
		if again := p.Resolve(p.Cwd, got); again != got {
			t.Fatalf("Resolve(%q) = %q, again %q", path, got, again)
		}
		if z, _, _ := p.Where(got); z == ZoneWorkspace && !mark.Has(got) && !mark.Under(got, "/w/repo") {
			t.Fatalf("%q is taken to lie in the workspace", got)
		}
	})
}

func FuzzParseURL(f *testing.F) {
	for _, s := range []string{"http://a.b:1/c", "//x", "[::1]", "例え.jp", "1.2", "a@b:c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		n, ok := ParseURL(raw, "https")
		if !ok {
			return
		}
		host := n.Domain
		if host == "" {
			return
		}
		n2, ok2 := ParseURL(n.Scheme+"://"+host, "")
		if !ok2 || n2.Domain != host && n2.IP == "" {
			t.Fatalf("%q gives %q, which gives %q", raw, host, n2.Domain)
		}
	})
}
