package shell

import (
	"strings"
	"testing"
)

// TestTakenBack has flags that make a run do less, and the same with a word that takes them back.
func TestTakenBack(t *testing.T) {
	for _, c := range []struct {
		line string
		less bool
	}{
		{"npm publish --dry-run", true}, {"npm publish --dry-run=true", true}, {"npm publish --dry-run --tag next", true},
		{"npm publish --dry-run=false", false}, {"npm publish --dry-run false", false}, {"npm publish --dry-run null", false}, {"npm publish --dry-run=", false},
		{"npm publish --dry-run --no-dry-run", false}, {"npm publish --no-dry-run --dry-run", false}, {"npm publish --dry-run --no-dry", false}, {"npm publish --dry-run --dry=0", false},
		{"wrangler deploy --dry-run", true}, {"wrangler deploy --dry-run=false", false}, {"wrangler deploy --dry-run false", false}, {"wrangler deploy --no-dry-run", false},
		{"kubectl apply -f x.yaml --dry-run=client", true}, {"kubectl apply -f x.yaml --dry-run=server", true}, {"kubectl apply -f x.yaml --dry-run=none", false},
		{"kubectl apply -f x.yaml --dry-run=client --dry-run=none", false}, {"kubectl apply -f x.yaml --dry-run=none --dry-run=client", false}, {"kubectl apply -f x.yaml --dry-run=$X", false},
		{"git push --dry-run", true}, {"git push --dry-run=false", false},
	} {
		got := strings.Join(summary(c.line), "; ")
		if less := !strings.Contains(got, "network/send") && !strings.Contains(got, "setting/") && !strings.Contains(got, "escape") && !strings.Contains(got, "opaque/"); less != c.less {
			t.Errorf("%s: does less %v: %s", c.line, less, got)
		}
	}
}

// TestSettingPlaces has settings of builders that are places, which may be written.
func TestSettingPlaces(t *testing.T) {
	for _, form := range []string{"mvn install -Dany.thing=%s", "gradle build -Pany=%s", "dotnet build -p:Any=%s", "dotnet build '-p:A=b;Any=%s'"} {
		for place, asks := range map[string]bool{"/srv/other/x": true, "../x": true, "build/x": false, "3": false} {
			line := strings.Replace(form, "%s", place, 1)
			got := strings.Join(summary(line), "; ")
			if strings.Contains(got, "write/") != asks {
				t.Errorf("%s: %s", line, got)
			}
		}
	}
}

func TestToolchainPlaces(t *testing.T) {
	for line, asks := range map[string]bool{
		"cargo +nightly build": false, "cargo +../x build": true, "cargo +/tmp/x build": true, "rustc +1.80 a.rs": false, "rustc +/opt/x a.rs": true, "rustfmt +nightly a.rs": false,
		"rustup run nightly cargo build": false, "rustup run ../x cargo build": true, "cargo +$X build": true,
	} {
		if got := strings.Join(summary(line), "; "); (strings.Contains(got, "escape") || strings.Contains(got, "opaque/")) != asks {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestManagePlaces has places outside the workspace in commands of Django's script.
func TestManagePlaces(t *testing.T) {
	for line, want := range map[string]string{
		"python manage.py dumpdata --output /srv/other/x.json": "write/", "python manage.py dumpdata -o ../x.json": "write/", "python manage.py startapp a ../a": "write/",
		"python manage.py check --pythonpath /tmp/x": "escape", "python manage.py check --pythonpath=/tmp/x": "escape", "python manage.py dumpdata -o x.json": "",
	} {
		got := strings.Join(summary(line), "; ")
		if asks := strings.Contains(got, "write/") || strings.Contains(got, "escape"); !strings.Contains(got, want) || asks != (want != "") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestPlacesBehindOptions has values that a program with switches like /name might be thought
// to have as switches, and outputs of a build that a variable names.
func TestPlacesBehindOptions(t *testing.T) {
	for line, asks := range map[string]bool{
		"dotnet build -o /srv": true, "dotnet clean -o /srv": true, "dotnet test --results-directory /srv": true, "dotnet build /nologo": false, "dotnet build -o out /nologo": false, "dotnet build -c Release /m": false,
		"cmake -S . -B build -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=/srv/x": true, "cmake -S . -B build -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=bin": false, "sbt @/tmp/x": true,
		"dotnet build -flp:logfile=/srv/x": true, "dotnet build -v:q": false, "dotnet build -p:Any=b": false,
	} {
		got := strings.Join(summary(line), "; ")
		if out := strings.Contains(got, "/srv") || strings.Contains(got, "escape"); out != asks {
			t.Errorf("%s: %s", line, got)
		}
	}
}
