package shell

import (
	"path"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file judges docker run where it gives a command no more than it would have in the
// workspace: a container of an official image that is given files of the workspace alone,
// none of the machine's namespaces, devices and rights, and no port that others reach.
// Whatever else it is told asks, as each container does of which nothing is known.

// dockerFlags are options of docker run without a value that give the container nothing,
// and dockerValues those with one (docker run --help, 27.5).
const dockerFlags = "--detach --init --interactive --no-healthcheck --quiet --read-only --rm --tty -d -di -i -it -q -t -ti"

const dockerValues = "--cpus --entrypoint --env --hostname --label --memory --mount --name --net --network --platform --publish --pull --shm-size --stop-timeout --tmpfs --user --volume --workdir " +
	"-e -h -l -m -p -u -v -w"

// containerRun judges what follows docker run. ok is false where it is given more than the
// workspace, or nobody knows.
func (m *machine) containerRun(args []string, in data, want bool) (out data, ok bool) {
	entry, at, workspace := "", "", ""
	var read []string // what is mounted to be read, FROM:TO
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, attached := cutAt(args[0], "=")
		args = args[1:]
		if !attached && mark.Among(dockerFlags, name) {
			continue
		}
		if !mark.Among(dockerValues, name) || !attached && len(args) == 0 {
			return data{}, false
		}
		if !attached {
			value, args = args[0], args[1:]
		}
		switch name {
		case "--entrypoint":
			entry = value
		case "-w", "--workdir":
			at = value
		case "-v", "--volume":
			if to, writes := m.mountsHere(value); writes {
				workspace = to
				continue
			}
		}
		if !m.containerGiven(name, value) {
			return data{}, false
		}
		if name == "-v" || name == "--volume" {
			read = append(read, value)
		}
	}
	if len(args) == 0 || !plainImage(args[0]) || workspace != "" && at != "" && at != workspace {
		return data{}, false
	}
	command := args[1:]
	if entry != "" {
		command = append([]string{entry}, command...)
	}
	m.spawn(effect.OpRun, m.prog)
	if !OfficialImage(args[0]) {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpContainer, Resource: m.prog, Named: true})
		if len(command) > 0 && strings.HasPrefix(command[0], "-") {
			return unknown, true // what the image starts is as good as what it holds
		}
	}
	if len(command) == 0 {
		return unknown, true
	}
	if strings.HasPrefix(command[0], "-") {
		return data{}, false // words of a program that the image names
	}
	command[0] = m.mountedFrom(command[0], read)
	return m.inContainer(command, in, want), true
}

// mountedFrom is the path here of a program that a container has from the workspace, to be read.
func (m *machine) mountedFrom(program string, read []string) string {
	if len(read) != 1 { // one may lie within another
		return program
	}
	from, to, _ := cutAt(read[0], ":")
	to, _, _ = cutAt(to, ":")
	rest, ok := cutPrefix(program, trimSuffix(to, "/")+"/")
	if !ok || !m.mounts(read[0]) || !strings.Contains(from, "/") || strings.Contains(rest, "..") || to == "/" {
		return program
	}
	return path.Join(m.p.Resolve(m.cwd, from), rest)
}

// containerGiven says whether an option gives the container nothing but what is the
// workspace's.
func (m *machine) containerGiven(name, value string) bool {
	switch name {
	case "-v", "--volume":
		return m.mounts(value)
	case "--mount":
		return false
	case "-e", "--env":
		variable, _, set := cutAt(value, "=")
		return !mark.Has(variable) && (set || !names.SecretVariable(variable)) && firstByte(value, mark.Unknown) < 0
	case "-p", "--publish":
		host, _, ok := cutAt(value, ":")
		return ok && (host == "127.0.0.1" || host == "localhost") && !mark.Has(value)
	case "--network", "--net":
		return value == "none" || value == "bridge"
	}
	return !mark.Has(value) || name == "-w" || name == "--workdir"
}

// mountsHere is where the working directory is mounted so that the container may write
// there. Names of files in what runs there mean the same as here, if it works in that place.
func (m *machine) mountsHere(value string) (to string, ok bool) {
	from, to, ok := cutAt(value, ":")
	to, mode, _ := cutAt(to, ":")
	if z, _, _ := m.p.Where(m.cwd); !ok || !path.IsAbs(to) || mark.Has(to) || firstByte(from, mark.Unknown) >= 0 || mode != "" && strings.Trim(mode, "rwzZ,") != "" || z != effect.ZoneWorkspace {
		return "", false
	}
	return to, (path.IsAbs(from) || strings.HasPrefix(from, ".") || mark.Has(from)) && m.p.Resolve(m.cwd, from) == m.cwd
}

// mounts says whether a volume is a named one, or one of the workspace that is only read.
func (m *machine) mounts(value string) bool {
	from, to, ok := cutAt(value, ":")
	to, mode, _ := cutAt(to, ":")
	if !ok || firstByte(value, mark.Unknown) >= 0 || !path.IsAbs(to) {
		return false
	}
	if !strings.ContainsAny(from, "/.~$") && !mark.Has(from) {
		return plainName(from) && mode == ""
	}
	z, secret, _ := m.p.Where(m.p.Resolve(m.cwd, from))
	return z == effect.ZoneWorkspace && !secret && strings.Trim(mode, "zZ,") == "ro" && (path.IsAbs(from) || strings.HasPrefix(from, "."))
}

// OfficialImage says whether an image, with or without a tag or a digest, is one of Docker's own library: those names have no
// slash (Docker's manual, Docker Official Images). One by a digest or a tag is as good.
func OfficialImage(image string) bool {
	name, _, _ := cutAt(image, "@")
	name, tag, _ := cutAt(name, ":")
	return plainName(name) && !mark.Has(image) && strings.Trim(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") == "" && mark.Among(officialNames, name)
}

// officialNames are images of that library that hold languages, systems, databases and
// servers for development (github.com/docker-library/official-images, library).
const officialNames = "almalinux alpine amazoncorretto amazonlinux bash buildpack-deps busybox cassandra clojure composer dart debian eclipse-temurin elixir erlang fedora gcc golang gradle groovy " +
	"haskell haxe httpd julia mariadb maven memcached mongo mysql nats neo4j nginx node openjdk perl php postgres pypy python r-base rabbitmq redis rockylinux ruby rust swift " +
	"swipl ubuntu valkey"
