package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Address is where a server listens.
type Address struct {
	Network string // "unix" or "tcp"
	Name    string // a path, or host:port
}

// ParseAddress reads unix:///path, tcp://host:port or a path.
func ParseAddress(s string) (Address, error) {
	scheme, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok && strings.Contains(s, "/"):
		return Address{"unix", s}, nil
	case scheme == "unix" && rest != "":
		return Address{"unix", rest}, nil
	case scheme == "tcp":
		if _, _, err := net.SplitHostPort(rest); err != nil {
			return Address{}, fmt.Errorf("%s: %w", s, err)
		}
		return Address{"tcp", rest}, nil
	}
	return Address{}, fmt.Errorf("%q is no address: give unix:///path or tcp://127.0.0.1:port", s)
}

func (a Address) String() string { return a.Network + "://" + a.Name }

// DefaultSocket is the socket's path where none is given: in the user's runtime
// folder (XDG Base Directory Specification), else in a folder of the user's own
// among the temporary files.
func DefaultSocket() string {
	if dir := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "gbt.sock")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("gbt-%d", os.Getuid()), "gbt.sock")
}

// Loopback reports whether only this machine can reach a TCP address.
func (a Address) Loopback(ctx context.Context) bool {
	host, _, err := net.SplitHostPort(a.Name)
	if err != nil || host == "" { // empty: every interface
		return false
	}
	ips, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	for _, ip := range ips {
		if !ip.IP.IsLoopback() {
			return false
		}
	}
	return err == nil && len(ips) > 0
}

// Listen opens an address. A unix socket is made for its owner alone; one that a
// dead server left behind is replaced, one that answers is not.
func Listen(a Address) (net.Listener, error) {
	if a.Network == "tcp" {
		return net.Listen("tcp", a.Name)
	}
	if err := os.MkdirAll(filepath.Dir(a.Name), 0o700); err != nil {
		return nil, err
	}
	if err := safeFolder(filepath.Dir(a.Name)); err != nil {
		return nil, err
	}
	unlock, err := lock(a.Name + ".lock")
	if err != nil {
		return nil, fmt.Errorf("%s: another server is there: %w", a.Name, err)
	}
	ln, err := listenUnix(a.Name)
	if err != nil {
		unlock()
		return nil, err
	}
	return &socket{ln, unlock}, nil
}

// socket gives its lock back when it is closed.
type socket struct {
	net.Listener
	unlock func()
}

func (s *socket) Close() error {
	err := s.Listener.Close() // removes the socket
	s.unlock()
	return err
}

func listenUnix(name string) (net.Listener, error) {
	if err := removeStale(name); err != nil {
		return nil, err
	}
	restore := private()
	ln, err := net.Listen("unix", name)
	restore()
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		ln.Close()
		return nil, err
	}
	return ln, nil
}

// removeStale removes a socket that nobody answers on, and nothing else.
func removeStale(name string) error {
	st, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if st.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is there and is no socket; it is left alone", name)
	}
	c, err := net.DialTimeout("unix", name, time.Second)
	if err == nil {
		c.Close()
		return fmt.Errorf("%s: another program listens there", name)
	}
	if !refused(err) {
		return fmt.Errorf("%s: nobody can tell whether it is in use; it is left alone: %w", name, err)
	}
	return os.Remove(name)
}
