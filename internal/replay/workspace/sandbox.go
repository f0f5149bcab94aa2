package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoSandbox says that bwrap is missing or cannot make namespaces here.
var ErrNoSandbox = errors.New("no sandbox: install bubblewrap (the program bwrap) and allow user namespaces")

// The places inside the sandbox.
const (
	homeDir = "/home/agent"
	metaDir = "/run/gbt"
)

// sandbox runs command lines on the trees below base: work, home, tmp, meta.
type sandbox struct {
	bwrap   string
	base    string
	lock    string   // see hold
	mount   string   // where work appears
	aside   string   // where home and meta are, if not below base
	extra   []string // further directories of the host, read-only
	timeout time.Duration
	limit   int // bytes of output
}

// script runs the command in $1 in the directory and with the exported
// variables that the command before it left behind, and leaves its own.
const script = `
if [ -f /run/gbt/env ]; then . /run/gbt/env; fi
cd "$(cat /run/gbt/cwd 2>/dev/null || echo "$GBT_ROOT")" 2>/dev/null || cd "$GBT_ROOT"
trap 'code=$?; pwd -P > /run/gbt/cwd; export -p > /run/gbt/env; exit $code' EXIT
eval "$1"
`

// run runs one command line. timedOut says that it was killed.
func (s *sandbox) run(ctx context.Context, command string) (out string, code int, timedOut bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	held, err := hold(s.lock)
	if err != nil {
		return "", 0, false, err
	}
	defer held.Close()
	cmd := exec.CommandContext(ctx, s.bwrap, append(s.args(), "bash", "--noprofile", "--norc", "-c", script, "bash", command)...)
	cmd.Env = []string{}
	cmd.ExtraFiles = []*os.File{held} // its number is 3 there (os/exec)
	cmd.WaitDelay = time.Second
	buf := &limited{limit: s.limit}
	cmd.Stdout, cmd.Stderr = buf, buf
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return buf.String(), 124, true, nil // the status of timeout(1)
	case ctx.Err() != nil:
		return "", 0, false, ctx.Err()
	case errors.As(err, &exit):
		return buf.String(), exit.ExitCode(), false, nil
	}
	return buf.String(), 0, false, err
}

// args are those of bwrap: everything unshared, nothing of the host but its
// programs, and those read-only.
func (s *sandbox) args() []string {
	own := s.base
	if s.aside != "" {
		own = s.aside
	}
	a := []string{
		"--sync-fd", "3", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
		"--unshare-user", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox",
		"--ro-bind", "/usr", "/usr",
	}
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(dir); err == nil {
			a = append(a, "--symlink", target, dir)
		} else {
			a = append(a, "--ro-bind-try", dir, dir)
		}
	}
	for _, name := range append([]string{"/etc/alternatives", "/etc/ld.so.cache"}, s.extra...) {
		a = append(a, "--ro-bind-try", name, name)
	}
	a = append(a, "--proc", "/proc", "--dev", "/dev",
		"--bind", filepath.Join(s.base, "tmp"), "/tmp",
		"--bind", filepath.Join(own, "home"), homeDir,
		"--bind", filepath.Join(s.base, "work"), s.mount,
		"--bind", filepath.Join(own, "meta"), metaDir,
		"--chdir", s.mount)
	for _, v := range [][2]string{
		{"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}, {"HOME", homeDir}, {"LANG", "C.UTF-8"}, {"TZ", "UTC"},
		{"USER", "agent"}, {"TERM", "dumb"}, {"GBT_ROOT", s.mount},
	} {
		a = append(a, "--setenv", v[0], v[1])
	}
	return append(a, "--")
}

// probe fails with ErrNoSandbox if commands cannot be run safely here: it runs
// one that must work and must see neither a file of the host nor a network.
func (s *sandbox) probe(ctx context.Context) error {
	path, err := exec.LookPath(s.bwrap)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoSandbox, err)
	}
	s.bwrap = path
	out, code, _, err := s.run(ctx, "[ -e '"+s.base+"' ] && echo files; sed -n '3,$s/:.*//p' /proc/net/dev")
	switch {
	case err != nil || code != 0:
		return fmt.Errorf("%w: status %d %s %v", ErrNoSandbox, code, strings.TrimSpace(out), err)
	case strings.TrimSpace(strings.ReplaceAll(out, "lo", "")) != "":
		return fmt.Errorf("%w: inside it sees %s", ErrNoSandbox, strings.Join(strings.Fields(out), ", "))
	}
	return nil
}

// limited keeps the beginning of what is written and counts the rest.
type limited struct {
	buf            bytes.Buffer // not embedded: its ReadFrom would go around Write
	limit, dropped int
}

func (l *limited) Write(b []byte) (int, error) {
	keep := min(len(b), l.limit-l.buf.Len())
	l.buf.Write(b[:keep])
	l.dropped += len(b) - keep
	return len(b), nil
}

func (l *limited) String() string {
	if l.dropped > 0 {
		return l.buf.String() + fmt.Sprintf("\n[%d more bytes]", l.dropped)
	}
	return l.buf.String()
}
