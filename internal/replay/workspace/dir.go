package workspace

import "path/filepath"

// Dir is where the workspace's files are on this machine, until Reset or Close. A
// caller copies from it what a run has made; changing it goes behind the
// workspace's back.
func (w *Workspace) Dir() string { return filepath.Join(w.box.base, "work") }

// KeptDir is where the files of a workspace are that was kept in a directory
// (Options.Kept), when no process has it open.
func KeptDir(kept string) string { return filepath.Join(kept, "base", "work") }
