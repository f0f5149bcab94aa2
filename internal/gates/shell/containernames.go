package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file tells containers and images by their names: which one a command makes and
// which ones it works on. A session may stop and delete the containers that it is known to
// have made, and start the images that it built from its workspace.

// These stand before the engine and the name of a container, and of an image.
const (
	madeContainer = "container:"
	madeImage     = "image:"
	passing       = "passing:" // a container that is deleted when it stops
)

// moreValues are options of docker run with a value that give the container more, so that
// containerRun does not know them, and moreFlags those without one (docker run --help, 27.5).
var (
	moreValues = "--add-host --cap-add --cap-drop --env-file --gpus --health-cmd --health-interval --health-retries --health-timeout --label-file --log-driver --log-opt --restart " +
		"--security-opt --stop-signal --ulimit --volumes-from"
	moreFlags = [...]string{
		"--privileged", "--publish-all", "-P",
	}
)

// ContainerMade names what a command makes if it ends well: the container that docker run
// or create was given a name for, or the images of a build. It is empty where a word is not
// known, for what follows may then be an option's value.
func ContainerMade(r *effect.Run) (made []string) {
	if entry, deletes := thing(r.Words); entry != "" && !deletes {
		return []string{entry}
	}
	engine, verb, args := containerVerb(r.Words)
	switch verb {
	case "run", "create":
		name, rm := "", false
		for len(args) > 0 && strings.HasPrefix(args[0], "-") {
			option, value, attached := cutAt(args[0], "=")
			args = args[1:]
			if !attached && (mark.Among(dockerFlags, option) || searchNames(moreFlags[:], option)) {
				rm = rm || option == "--rm"
				continue
			}
			if !mark.Among(dockerValues, option) && !mark.Among(moreValues, option) || !attached && len(args) == 0 {
				return nil
			}
			if !attached {
				value, args = args[0], args[1:]
			}
			if option == "--name" {
				name = value
			}
		}
		if plainContainer(name) && len(args) > 0 {
			made = append(made, madeContainer+engine+" "+name)
			if rm {
				made = append(made, passing+engine+" "+name)
			}
		}
	case "build":
		for i, w := range args {
			option, value, attached := cutAt(w, "=")
			if option != "-t" && option != "--tag" {
				continue
			}
			if !attached && i+1 < len(args) {
				value = args[i+1]
			}
			if !plainImage(value) {
				return nil
			}
			made = append(made, imageEntry(engine, value))
		}
	}
	return made
}

// ContainersOf names the containers or images that a command starts, stops or deletes, as
// ContainerMade does. ok is false where it may work on others too, or does more than that.
func ContainersOf(r *effect.Run) (named []string, ok bool) {
	if entry, deletes := thing(r.Words); deletes && entry != "" {
		return []string{entry}, true
	}
	engine, verb, args := containerVerb(r.Words)
	switch verb {
	case "run":
		if slices.ContainsFunc(args, func(w string) bool {
			return strings.HasPrefix(w, "--pull") && w != "--pull=never" && w != "--pull=missing"
		}) {
			return nil, false // another image of that name may be fetched
		}
		image := imageOfRun(args)
		return []string{imageEntry(engine, image)}, plainImage(image)
	case "start", "stop", "restart", "kill", "pause", "unpause", "rm", "wait", "rmi", "inspect":
	default:
		return nil, false
	}
	for len(args) > 0 {
		w := args[0]
		args = args[1:]
		switch option, _, attached := cutAt(w, "="); {
		case w == "-f" || w == "--force" || (w == "-v" || w == "--volumes" || w == "-fv" || w == "-vf") && verb == "rm":
		case verb != "rm" && verb != "rmi" && (option == "-t" || option == "--time" || option == "--timeout" || option == "-s" || option == "--signal"):
			if !attached && len(args) > 0 {
				args = args[1:]
			}
		case verb == "rmi" && plainImage(w):
			named = append(named, imageEntry(engine, w))
		case verb != "rmi" && plainContainer(w):
			named = append(named, madeContainer+engine+" "+w)
		default:
			return nil, false
		}
	}
	return named, len(named) > 0
}

// ContainersGone are the entries of a list of ContainerMade's that hold no longer, or may
// not, once a command has run: another one may soon have that name, or has it already.
func ContainersGone(r *effect.Run, made []string) (gone []string) {
	if len(r.Words) > 0 {
		gone = thingsGone(r, made)
	}
	engine, verb, _ := containerVerb(r.Words)
	if engine != "" && !mark.Among(keepsNames, verb) {
		for _, m := range made {
			if strings.HasPrefix(m, madeContainer) || strings.HasPrefix(m, madeImage) || strings.HasPrefix(m, passing) {
				gone = append(gone, m)
			}
		}
		return gone
	}
	if named, ok := ContainersOf(r); ok {
		for _, n := range named {
			ends := passing + trimPrefix(n, madeContainer)
			if verb == "rm" || verb == "rmi" || (verb == "stop" || verb == "kill") && isAmong(made, ends) {
				gone = append(gone, n, ends)
			}
		}
	}
	return gone
}

// keepsNames are the commands after which each name still means what it did, but for those
// that ContainersOf names; a build's are known once it ended well. Others, such as tag, load
// and pull, may give a name to something else.
const keepsNames = "cp create diff events exec history images info inspect kill list logs ls network pause port ps push restart rm rmi run search start stats stop top unpause version volume wait"

// containerVerb splits the words of docker or podman: docker container rm is docker rm, and
// docker image rm is docker rmi.
func containerVerb(words []string) (engine, verb string, args []string) {
	if len(words) < 3 {
		return "", "", nil
	}
	if engine = baseName(words[0]); engine != "docker" && engine != "podman" {
		return "", "", nil
	}
	verb, args = words[1], words[2:]
	switch verb + " " + args[0] {
	case "image ls", "image list", "image inspect", "image history", "container ls", "container list", "container ps", "container inspect", "container logs", "container exec", "container stats", "container top", "container port", "container diff", "container cp":
		return engine, args[0], args[1:]
	case "image rm", "image remove":
		return engine, "rmi", args[1:]
	case "image build", "buildx build", "builder build", "container run", "container create", "container start", "container stop", "container restart", "container kill", "container pause", "container unpause", "container rm", "container wait":
		return engine, args[0], args[1:]
	}
	return engine, verb, args
}

// imageOfRun is the image behind the options of docker run; empty where one is not known.
func imageOfRun(args []string) string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		option, _, attached := cutAt(args[0], "=")
		args = args[1:]
		switch {
		case !attached && mark.Among(dockerFlags, option):
		case !mark.Among(dockerValues, option) || !attached && len(args) == 0:
			return ""
		case !attached:
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// imageEntry names an image; one without a tag is the latest (docker tag, Extended
// description).
func imageEntry(engine, ref string) string {
	if !strings.Contains(ref, "@") && !strings.Contains(baseName(ref), ":") {
		ref += ":latest"
	}
	return madeImage + engine + " " + ref
}

// plainContainer says whether a word is the name of a container and nothing else
// ([a-zA-Z0-9][a-zA-Z0-9_.-]+, moby's daemon/names).
func plainContainer(name string) bool {
	return len(name) > 1 && !strings.ContainsAny(name[:1], "_.-") && !mark.Has(name) && strings.Trim(name, containerLetters) == ""
}

// plainImage says whether a word is a reference to an image and nothing else
// (distribution's reference grammar).
func plainImage(ref string) bool {
	return ref != "" && !strings.ContainsAny(ref[:1], "_.-/:@") && !mark.Has(ref) && strings.Trim(ref, containerLetters+"/:@") == ""
}

const containerLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
