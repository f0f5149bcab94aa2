package hosts

import "path/filepath"

// Choices says where a host keeps what its user, or who manages the machine, chose once
// and for all: rules of permissions in its settings (package permissions reads them).
type Choices struct {
	// HomeEnv is the environment variable that names the host's directory in the home, and
	// Home is where it lies otherwise. User are the files in it.
	HomeEnv, Home string
	User          []string
	// Project are the files of a project, below its directory.
	Project []string
	// Managed is the directory of an administrator's settings, by operating system
	// (runtime.GOOS), and ManagedFiles are the patterns of the files there.
	Managed      map[string]string
	ManagedFiles []string
}

// UserFiles are the user's own, for a home directory and the value of HomeEnv.
func (c *Choices) UserFiles(home, env string) []string {
	dir := env
	if dir == "" {
		dir = filepath.Join(home, filepath.FromSlash(c.Home))
	}
	return below(dir, c.User)
}

// ProjectFiles are those of a project's directory.
func (c *Choices) ProjectFiles(dir string) []string { return below(dir, c.Project) }

// ManagedPatterns are patterns of an administrator's files on a system.
func (c *Choices) ManagedPatterns(goos string) []string {
	dir, ok := c.Managed[goos]
	if !ok {
		return nil
	}
	return below(dir, c.ManagedFiles)
}

func below(dir string, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, filepath.Join(dir, filepath.FromSlash(n)))
	}
	return out
}
