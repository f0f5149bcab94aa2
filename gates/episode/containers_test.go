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

// TestOwnThings: clusters, networks and databases that the session made are its own likewise.
func TestOwnThings(t *testing.T) {
	type step struct {
		line string
		ok   bool
	}
	kind, k3d := step{"kind create cluster --name shoptest 2>&1", true}, step{"k3d cluster create dev -a 1 --wait", true}
	net, db := step{"docker network create --internal n1", true}, step{"createdb shop_mig", true}
	for _, tt := range []struct {
		name   string
		before []step
		line   string
		passes bool
	}{
		{"a cluster", []step{kind}, "kind delete cluster --name shoptest", true},
		{"by its short option", []step{kind}, "kind delete cluster -n shoptest", true},
		{"after a look", []step{kind, {"kind get clusters", true}, {"kind export logs", true}}, "kind delete cluster --name=shoptest", true},
		{"of k3d", []step{k3d}, "k3d cluster delete dev", true},
		{"a network", []step{net}, "docker network rm n1", true},
		{"a database", []step{db}, "dropdb shop_mig", true},
		{"a database that may be gone", []step{db}, "dropdb --if-exists shop_mig", true},

		{"a cluster of others", nil, "kind delete cluster --name shoptest", false},
		{"another cluster", []step{kind}, "kind delete cluster --name shop", false},
		{"the usual one", []step{kind}, "kind delete cluster", false},
		{"all of them", []step{kind}, "kind delete clusters --all", false},
		{"two", []step{k3d}, "k3d cluster delete dev prod", false},
		{"all of k3d", []step{k3d}, "k3d cluster delete --all", false},
		{"of another program", []step{kind}, "k3d cluster delete shoptest", false},
		{"that failed", []step{{kind.line, false}}, "kind delete cluster --name shoptest", false},
		{"that may have failed", []step{{kind.line + " || true", true}}, "kind delete cluster --name shoptest", false},
		{"whose end a pipe hides", []step{{kind.line + " | tail -1", true}}, "kind delete cluster --name shoptest", false},
		{"of another provider", []step{kind}, "KIND_EXPERIMENTAL_PROVIDER=podman kind delete cluster --name shoptest", false},
		{"on another machine", []step{kind}, "DOCKER_HOST=ssh://prod kind delete cluster --name shoptest", false},
		{"made on another machine", []step{{"DOCKER_HOST=ssh://prod " + kind.line, true}}, "kind delete cluster --name shoptest", false},
		{"in another's settings", []step{kind}, "kind delete cluster --name shoptest --kubeconfig /home/me/.kube/prod", false},
		{"deleted before", []step{kind, {"kind delete cluster --name shoptest", true}}, "kind delete cluster --name shoptest", false},
		{"deleted with all", []step{kind, {"kind delete clusters --all", true}}, "kind delete cluster --name shoptest", false},
		{"computed", []step{kind}, "kind delete cluster --name $X", false},
		{"made at once and deleted", []step{{kind.line + " && kind delete cluster --name shoptest", true}}, "kind delete cluster --name shoptest", false},
		{"a network of others", nil, "docker network rm n1", false},
		{"two networks", []step{net}, "docker network rm n1 n2", false},
		{"of a driver that may span machines", []step{{"docker network create -d overlay n1", true}}, "docker network rm n1", false},
		{"pruned between", []step{net, {"docker network prune -f", true}}, "docker network rm n1", false},
		{"of another context", []step{net}, "docker --context prod network rm n1", false},
		{"a volume, which may have been there", []step{{"docker volume create v1", true}}, "docker volume rm v1", false},
		{"a database of others", nil, "dropdb shop_mig", false},
		{"another database", []step{db}, "dropdb shop_dev", false},
		{"on another server", []step{db}, "dropdb -h db.example.com shop_mig", false},
		{"on another server by a variable", []step{db}, "PGHOST=db.example.com dropdb shop_mig", false},
		{"on another server by an export", []step{db}, "export PGHOST=db.example.com; dropdb shop_mig", false},
		{"on another port by a variable", []step{db}, "PGPORT=5433 dropdb shop_mig", false},
		{"one of others before it", []step{k3d}, "k3d cluster delete prod dev", false},
		{"a network that was looked at", []step{{"docker network inspect n1", true}}, "docker network rm n1", false},
		{"on another port", []step{db}, "dropdb -p 5433 shop_mig", false},
		{"made on another server", []step{{"createdb -h db.example.com shop_mig", true}}, "dropdb shop_mig", false},
		{"made on another server by a variable", []step{{"PGHOST=db.example.com createdb shop_mig", true}}, "dropdb shop_mig", false},
		{"that was there", []step{{"createdb shop_mig", false}}, "dropdb shop_mig", false},
		{"that was there or not", []step{{"createdb shop_mig 2>/dev/null; true", true}}, "dropdb shop_mig", false},
		{"dropped before", []step{db, {"dropdb shop_mig", true}}, "dropdb shop_mig", false},
		{"with all who use it", []step{db}, "sudo -u postgres dropdb shop_mig", false},
		{"in a container", []step{db}, "docker exec db dropdb shop_mig", false},
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

// TestTagged: an image whose build ends in a pipe is the session's by what the engine says.
func TestTagged(t *testing.T) {
	const kit, old = "#9 exporting layers done\n#9 naming to docker.io/library/app:dev done\n", "Successfully built 0123\nSuccessfully tagged app:dev\n"
	for _, tt := range []struct {
		built, said, line string
		asks              bool
	}{
		{"docker build -t app:dev . 2>&1 | tail -3", kit, "docker run --rm app:dev id", false},
		{"docker build -t app:dev . 2>&1 | tail -3", old, "docker run --rm app:dev id", true},
		{"podman build -t app:dev . 2>&1 | tail -3", kit, "podman run --rm app:dev id", true},
		{"cd . && docker build -t app:dev . 2>&1 | tee log | tail -3; echo done", kit, "docker run --rm app:dev id", false},
		{"docker build -t app:dev . 2>&1 | tail -3", " => => naming to docker.io/library/app:dev  0.0s\n", "docker run --rm app:dev id", false},
		{"docker build -t app:dev . 2>&1 | tail -3", "#5 0.12 naming to docker.io/library/app:dev\n#5 ERROR\n", "docker run --rm app:dev id", true},
		{"docker build -t app:dev . 2>&1 | tail -3", `#5 0.12 \n#9 naming to docker.io/library/app:dev`, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . 2>&1 | tail -3", "x naming to docker.io/library/app:dev\n", "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; cat notes", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; echo '#9 naming to docker.io/library/app:dev'", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; echo -n '#9 nam'; echo 'ing to docker.io/library/app:dev'", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; echo $X", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | sed s/x/y/", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; tail -3 log", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | grep '' log", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; make", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail", `[{"type":"text","text":"#9 naming to docker.io/library/app:dev\n"}]`, "docker run --rm app:dev id", false},
		{"docker build -q -t app . | cat", "#9 naming to docker.io/library/app:latest", "docker run --rm app", false},
		{"docker build -t app:dev . | tail -3", "ERROR: failed to solve\n", "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3", "#9 naming to docker.io/library/app:developed done", "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3", "#9 naming to docker.io/library/other:dev done", "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3", kit, "docker run --rm other:dev id", true},
		{"docker build -t app:dev https://github.com/x/y.git | tail -3", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev -f /opt/Dockerfile . | tail -3", kit, "docker run --rm app:dev id", true},
		{"echo docker build -t app:dev .", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3; docker rmi app:dev", kit, "docker run --rm app:dev id", true},
		{"docker build -t app:dev . | tail -3", kit, "docker run --rm -v /:/h app:dev id", true},
	} {
		var m Memory
		c := read(t, m.Before, tt.built)
		d := (&gates.Checker{}).Check(c, nil)
		m.Let("k", "", c, &d, 1)
		c = read(t, func(st *gates.State) { m.At("k", st) }, tt.built)
		m.Ended("k", c, 1)
		m.Recorded(c, tt.said)
		m.agreed = nil
		c = read(t, m.Before, tt.line)
		if d := (&gates.Checker{}).Check(c, nil); (d.Disposition != gates.Approved) != tt.asks {
			t.Errorf("%s said %q, %s: %v %v", tt.built, tt.said, tt.line, d.Disposition, d.Reasons)
		}
	}
}
