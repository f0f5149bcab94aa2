package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file tells clusters, networks of containers and databases by their names, as containernames.go
// does containers: which one a command makes that fails where there is one, and which one it deletes.

// madeThing stands before the program, what it is and the name.
const madeThing = "thing:"

// makerOf is how one program makes and deletes things of a kind by name.
type makerOf struct {
	program, kind  string
	makes, deletes string // the words of the commands
	name           string // the options that have the name; empty where it is a word
	values         string // further options with a value that keep it on this machine, and
	flags          string // those without one
}

// makersOf: from the help of kind 0.27 and k3d 5.8, docker's and podman's network create (27.5, 5.4) and
// PostgreSQL 17's createdb and dropdb. What takes a thing that is there makes none: docker volume create,
// minikube start.
var makersOf = [...]makerOf{
	{program: "kind", kind: "cluster", makes: "create cluster", deletes: "delete cluster", name: "--name -n", values: "--wait --image", flags: "-q --quiet --retain"},
	{program: "k3d", kind: "cluster", makes: "cluster create", deletes: "cluster delete", values: "-a --agents -s --servers -i --image --timeout", flags: "--wait --verbose --no-lb"},
	{program: "docker", kind: "network", makes: "network create", deletes: "network rm", values: "--subnet --gateway --label", flags: "--internal --attachable --ipv6 -f --force"},
	{program: "podman", kind: "network", makes: "network create", deletes: "network rm", values: "--subnet --gateway --label", flags: "--internal --ipv6"},
	{program: "createdb", kind: "database", values: "-E --encoding -T --template -l --locale -O --owner", flags: "-e --echo"},
	{program: "dropdb", kind: "database", flags: "-e --echo --if-exists -f --force"},
}

// thing reads a command that makes or deletes one such thing. entry is empty where a word is not known,
// for it may name another machine or another name.
func thing(words []string) (entry string, deletes bool) {
	for i := range makersOf {
		if g := &makersOf[i]; len(words) > 1 && baseName(words[0]) == g.program {
			return g.read(words[1:])
		}
	}
	return "", false
}

// read is thing for one program, without its name.
func (g *makerOf) read(rest []string) (entry string, deletes bool) {
	deletes = g.program == "dropdb"
	if g.makes != "" {
		if len(rest) < 3 {
			return "", false
		}
		verb := rest[0] + " " + rest[1]
		if deletes = verb == g.deletes; !deletes && verb != g.makes {
			return "", false
		}
		rest = rest[2:]
	}
	name := ""
	for len(rest) > 0 {
		w := rest[0]
		rest = rest[1:]
		option, value, attached := strings.Cut(w, "=")
		named := hasWord(g.name, option) || g.name == "" && !strings.HasPrefix(w, "-")
		switch {
		case hasWord(g.flags, w):
			continue
		case strings.HasPrefix(w, "-") && (named || hasWord(g.values, option)):
			if !attached && len(rest) == 0 {
				return "", false
			}
			if !attached {
				value, rest = rest[0], rest[1:]
			}
		case named:
			value = w
		default:
			return "", false
		}
		if !named {
			continue
		}
		if name != "" || !plainContainer(value) {
			return "", false
		}
		name = value
	}
	if name == "" {
		return "", false
	}
	return madeThing + ownerOf(g.program) + " " + g.kind + " " + name, deletes
}

// ownerOf is the program by which a thing is known that one program makes and another deletes.
func ownerOf(program string) string {
	if program == "dropdb" {
		return "createdb"
	}
	return program
}

// thingsGone are the entries of a list that a command may have made to mean something else: the one
// that it names, or all of its program's where it does what is not known here.
func thingsGone(r *effect.Run, made []string) (gone []string) {
	entry, _ := thing(r.Words)
	for _, m := range made {
		rest, ok := cutPrefix(m, madeThing)
		owner, _, _ := strings.Cut(rest, " ")
		if ok && owner == ownerOf(baseName(r.Words[0])) && (m == entry || entry == "" && !looksAtThings(r.Words)) {
			gone = append(gone, m)
		}
	}
	return gone
}

// looksAtThings says whether a command of those programs leaves all things as they are.
func looksAtThings(words []string) bool {
	if len(words) < 2 {
		return true
	}
	switch baseName(words[0]) {
	case "kind":
		return hasWord("get export load version", words[1])
	case "k3d":
		return hasWord("kubeconfig image version", words[1]) || len(words) > 2 && hasWord("list get", words[2])
	case "docker", "podman":
		return words[1] != "network" && words[1] != "system" || len(words) > 2 && hasWord("ls list inspect connect disconnect df info", words[2])
	}
	return false
}
