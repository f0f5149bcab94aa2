// Package workspace is a replay environment for shell and file tools: a copy of
// a directory in a sandbox.
//
// Commands run under bubblewrap (the program bwrap), each in new namespaces: no
// network, no processes but their own, the host's programs read-only, and of
// everything else only the workspace, a home and a temporary directory, which
// are copies. Without bwrap there is no Workspace: New fails with ErrNoSandbox,
// and nothing in this package runs a command in any other way. File tools work
// on the same copies through os.Root, which follows no link out of them.
//
// Snapshots are manifests over a store of file contents: taking one costs a walk
// and the copies of what changed, through copy_file_range, which shares blocks
// where the file system can. They cover contents, modes, links and times of
// files; owners and extended attributes they do not.
//
// Directory, exported variables and files carry over from command to command;
// other shell state does not. Times, process ids and chance are those of the
// machine: a replay that shows them diverges and says so.
//
// A Workspace belongs to one goroutine.
//
// What belongs here: the sandbox, the file tools in it, snapshots. What never
// does: whether a call may run (package gates), which calls are replayed
// (package replay), tools that leave the machine (package mcpenv).
package workspace
