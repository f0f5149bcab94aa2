package shell

import "testing"

// TestMainOptions tells the words of clojure.main from those of the program that it runs.
func TestMainOptions(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  int
	}{
		{nil, 0},
		{[]string{"--lint", "src"}, 0},
		{[]string{"-m", "kaocha.runner", "--focus", "unit"}, 2},
		{[]string{"-m"}, 1},
		{[]string{"-e", "(f)"}, 2},
		{[]string{"--eval", "(f)"}, 2},
		{[]string{"script.clj", "a"}, 2},
	} {
		if got := mainOptions(c.words); got != c.want {
			t.Errorf("%q: %d, want %d", c.words, got, c.want)
		}
	}
}

// TestPortsOnly tells a line of adb that passes ports alone from all others.
func TestPortsOnly(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"reverse", "tcp:8081", "tcp:8081"}, true},
		{[]string{"-s", "emulator-5554", "forward", "tcp:9000", "tcp:9000"}, true},
		{[]string{"reverse", "tcp:8081", "localfilesystem:/x"}, false},
		{[]string{"forward", "tcp:x", "tcp:1"}, false},
		{[]string{"reverse", "--remove-all"}, false},
		{[]string{"connect", "tcp:1", "tcp:2"}, false},
	} {
		if got := portsOnly(c.args); got != c.want {
			t.Errorf("%q: %v", c.args, got)
		}
	}
}

// TestDeploys tells properties by which MSBuild sends from those that it builds with.
func TestDeploys(t *testing.T) {
	for word, want := range map[string]bool{
		"DeployOnBuild=true": true, "Configuration=Release;publishprofile=Live": true, "WebPublishMethod=MSDeploy": true,
		"ContainerRegistry=r.example.com": true, "PublishSingleFile=true": false, "PublishTrimmed=true,Configuration=Release": false, "": false,
	} {
		if got := deploys(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}
