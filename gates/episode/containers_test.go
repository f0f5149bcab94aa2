package episode

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// TestOwnContainers: a container that the session made, and an image that it built from its
// workspace, are its own from when they are known to be there until they are not.
func TestOwnContainers(t *testing.T) {
	type step struct {
		line string
		ok   bool
	}
	up := step{"docker run -d --name db -p 127.0.0.1:5432:5432 postgres:16", true}
	built := step{"docker build -t app .", true}
	for _, tt := range []struct {
		name   string
		before []step
		line   string
		passes bool
	}{
		{"of others", nil, "docker rm -f db", false},
		{"stopped", []step{up}, "docker stop db", true},
		{"stopped in time", []step{up}, "docker stop -t 5 db", true},
		{"deleted", []step{up}, "docker rm -f db", true},
		{"by its long name", []step{up}, "docker container rm --force db", true},
		{"with another", []step{up}, "docker rm -f db cache", false},
		{"computed", []step{up}, "docker rm -f $(docker ps -aq)", false},
		{"beside a computed one", []step{up}, "docker rm -f db $X", false},
		{"of another engine", []step{up}, "podman rm -f db", false},
		{"on another machine", []step{up}, "DOCKER_HOST=ssh://prod docker rm -f db", false},
		{"by an option of another machine", []step{up}, "docker -H ssh://prod rm -f db", false},
		{"it did not start", []step{{up.line, false}}, "docker rm -f db", false},
		{"nobody knows whether it started", []step{{up.line + " || true", true}}, "docker rm -f db", false},
		{"not the container's name", []step{{"docker run -d postgres:16 x --name db", true}}, "docker rm -f db", false},
		{"behind an unknown option", []step{{"docker run -d --frob --name db postgres:16", true}}, "docker rm -f db", false},
		{"deleted before", []step{up, {"docker rm -f db", true}}, "docker rm -f db", false},
		{"deleted at once", []step{{up.line + " && docker rm -f db", true}}, "docker rm -f db", false},
		{"deleted with its end", []step{{"docker run --rm -d --name db postgres:16", true}, {"docker stop db", true}}, "docker rm -f db", false},
		{"stopped and started", []step{up, {"docker stop db", true}}, "docker start db", true},
		{"its volumes too", []step{up}, "docker rm -fv db", true},
		{"renamed", []step{up}, "docker rename db x", false},
		{"copied out of", []step{up}, "docker cp db:/etc/x ./x", false},

		{"an image of others", nil, "docker run --rm app", false},
		{"built", []step{built}, "docker run --rm app", true},
		{"built, by its tag", []step{built}, "docker run --rm app:latest", true},
		{"built, another tag", []step{built}, "docker run --rm app:1", false},
		{"with words", []step{built}, "docker run --rm app --port 80", true},
		{"with a program", []step{built}, "docker run --rm app pytest -q", true},
		{"with the workspace", []step{built}, `docker run --rm -v "$PWD":/w -w /w app make`, true},
		{"with a home", []step{built}, "docker run --rm -v /home/u:/h app", false},
		{"with all rights", []step{built}, "docker run --rm --privileged app", false},
		{"with the machine's network", []step{built}, "docker run --network host app", false},
		{"sends", []step{built}, "docker run --rm app curl -d @x https://example.com", false},
		{"the build failed", []step{{built.line, false}}, "docker run --rm app", false},
		{"built of a repository elsewhere", []step{{"docker build -t app https://github.com/x/y.git", true}}, "docker run --rm app", false},
		{"built elsewhere", []step{{"cd /opt/x && docker build -t app .", true}}, "docker run --rm app", false},
		{"built by another file", []step{{"docker build -t app -f /opt/Dockerfile .", true}}, "docker run --rm app", false},
		{"another of its name may be pulled", []step{built}, "docker run --rm --pull=always app", false},
		{"another of its name, apart", []step{built}, "docker run --rm --pull always app", false},
		{"none is pulled", []step{built}, "docker run --rm --pull=never app", true},
		{"another was given its name", []step{built, {"docker tag registry.example/x app", true}}, "docker run --rm app", false},
		{"another may have its name", []step{built, {"docker load -i x.tar", true}}, "docker run --rm app", false},
		{"another was pulled", []step{built, {"docker pull app", true}}, "docker run --rm app", false},
		{"built anew of others'", []step{built, {"docker build -t app https://github.com/x/y.git", true}}, "docker run --rm app", false},
		{"listed between", []step{built, {"docker images && docker ps -a", true}}, "docker run --rm app", true},
		{"another has the container's name", []step{up, {"docker rename other db", true}}, "docker rm -f db", false},
		{"buildx", []step{{"docker buildx build --load --tag app:dev .", true}}, "docker run --rm app:dev", true},
		{"deleted image", []step{built}, "docker rmi app", true},
		{"deleted image before", []step{built, {"docker rmi app", true}}, "docker run --rm app", false},
	} {
		var m Memory
		for _, s := range tt.before {
			c := ran(t, &m, s.line, 1)
			if s.ok {
				m.Succeeded(c)
			}
		}
		d := new(gates.Checker).Check(read(t, m.Before, tt.line), nil)
		if got := d.Disposition == gates.Approved; got != tt.passes {
			t.Errorf("%s: %s passes: %v, %v", tt.name, tt.line, got, d.Reasons)
		}
	}
}
