package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates/effect"
)

// TestGivenBuilders gives builders and test runners places by options and settings
// that their tables say nothing about.
func TestGivenBuilders(t *testing.T) {
	forms := map[string][]string{
		"pytest":       {"--rootdir %s", "--rootdir=%s", "--anything=%s", "-k %s"},
		"dotnet build": {"-p:Before=%s"}, "gcc": {"@%s a.c"}, "clang": {"-fuse-ld=%s a.c", "-L%s a.c", "--gcc-toolchain=%s a.c"}, "rustc": {"--extern a=b -L %s a.rs", "--sysroot %s a.rs", "-C ar=%s a.rs"},
		"mvn": {"-Djvm=%s test"}, "ninja": {"-t %s"}, "prove": {"-I %s t"},
	}
	places := []struct {
		value string
		asks  bool
	}{
		{"/tmp/x", true}, {"/tmp/a/../x", true}, {"/var/tmp/x", true}, {"src/x", false}, {"/w/x", false}, {"./x", false}, {"x", false}, {"3", false},
	}
	for name, lines := range forms {
		for _, form := range lines {
			for _, p := range places {
				line := name + " " + strings.Replace(form, "%s", p.value, 1)
				got := strings.Join(summary(line), "; ")
				if asks := strings.Contains(got, "spawn/escape") || strings.Contains(got, "opaque/"); asks != p.asks {
					t.Errorf("%s: asks %v: %s", line, asks, got)
				}
			}
		}
	}
}

func TestGivenAddresses(t *testing.T) {
	for _, line := range []string{"bazel build --remote_anything=%s //...", "pytest --anything=%s", "mvn -Dany.repo=%s test", "gradle --anything=%s build", "gradle wrapper --anything %s"} {
		for _, a := range []struct {
			url   string
			sends bool
		}{
			{"https://x.example/y", true}, {"grpc://x.example:9", true}, {"http://203.0.113.9", true}, {"http://localhost:8080", false}, {"http://127.0.0.1:1/x", false}, {"plain", false},
		} {
			given := strings.Replace(line, "%s", a.url, 1)
			got := strings.Join(summary(given), "; ")
			if strings.Contains(got, "network/") != a.sends {
				t.Errorf("%s: %s", given, got)
			}
		}
	}
}

// TestGivenOutputs are places that a builder writes, which may lie in /tmp.
func TestGivenOutputs(t *testing.T) {
	for _, line := range []string{
		"pytest --basetemp=/tmp/x", "pytest --any-output=/tmp/x", "jest --cacheDirectory=/tmp/x", "mvn -Djava.io.tmpdir=/tmp test", "go test -o /tmp/x ./...",
		"gcc -o /tmp/x a.c", "cargo build --target-dir /tmp/x", "esbuild --metafile=/tmp/x a.js", "bazel test --test_env=HOME=/tmp //x",
	} {
		if got := strings.Join(summary(line), "; "); strings.Contains(got, "spawn/escape") || strings.Contains(got, "opaque/") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestGivenSecrets: a secret's path that a script or an unknown program gets is read,
// however it is attached; what only looks like one is not.
func TestGivenSecrets(t *testing.T) {
	p := effect.Places{Cwd: "/w", Home: "/home/me"}.Normal()
	for _, program := range []string{"./send.sh", "frobnicate", "node send.js", "python3 send.py", "ruby send.rb"} {
		for arg, want := range map[string]string{
			"/home/me/.ssh/id_rsa": "/home/me/.ssh/id_rsa", "~/.ssh/id_rsa": "/home/me/.ssh/id_rsa", "--key=/home/me/.ssh/id_rsa": "/home/me/.ssh/id_rsa", "-k/home/me/.ssh/id_rsa": "/home/me/.ssh/id_rsa",
			"@/home/me/.ssh/id_rsa": "/home/me/.ssh/id_rsa", "--file file:///home/me/.ssh/id_rsa": "/home/me/.ssh/id_rsa", "key=.env": "/w/.env", ".env": "/w/.env",
			"README.md": "", "--level=3": "", "a@b.example": "", "https://a.example/x": "", ".env.example": "",
		} {
			line := program + " " + arg
			got := ""
			for _, e := range Analyze(line, &p) {
				if e.Kind == effect.Read && e.Sensitive {
					got = e.Resource
				}
			}
			if got != want {
				t.Errorf("%s: reads the secret %q, want %q", line, got, want)
			}
		}
	}
}

// TestLists: a part of a list with commas is judged where it lies.
func TestLists(t *testing.T) {
	for line, want := range map[string]string{
		"sort -o out,/etc/x a": "/etc/x", "flake8 --config a.cfg,/etc/x": "/etc/x", "cat a,b": "/w/a,b", "cat a,../b": "/b", "cat /etc/a,b": "/etc/a,b",
	} {
		if got := strings.Join(summary(line), "; "); !strings.Contains(got, " "+want) {
			t.Errorf("%s: %s, want %s in it", line, got, want)
		}
	}
}

// TestProxiesAndHosts: a setting of a build that names a host or a proxy is a connection to it,
// with or without a scheme, and one of this machine is none.
func TestProxiesAndHosts(t *testing.T) {
	for line, connects := range map[string]bool{
		"./gradlew build -Dhttp.proxyHost=proxy.example":                   true,
		"./gradlew build -Dhttps.proxyHost=squid -Dhttps.proxyPort=8080":   true,
		"mvn test -DproxySet=true -DproxyHost=proxy.example":               true,
		"sbt -DsocksProxyHost=203.0.113.7 test":                            true,
		"gradle test -Ddb.host=db.example":                                 true,
		"./gradlew build -Dhttp.proxyHost=localhost -Dhttp.proxyPort=3128": false,
		"mvn test -Dhttps.proxyHost=127.0.0.1":                             false,
		"gradle test -Ddb.host=localhost":                                  false,
		"gradle build -Dhttp.nonProxyHosts=a.example -Dversion=1.2.3.4":    false,
		"mvn -Dtest=FooTest -Drevision=1.2.3 verify":                       false,
		"go build -ldflags '-X main.host=a.example' ./...":                 false,
	} {
		places := effect.Places{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}}.Normal()
		got := slices.ContainsFunc(AnalyzeCode("sh", line, &places), func(e effect.Effect) bool { return e.Kind == effect.Network })
		if got != connects {
			t.Errorf("%s: connects %v", line, got)
		}
	}
}
