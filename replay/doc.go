// Package replay runs the calls of recorded episodes again and finds out which
// of them did harm.
//
// An Env is where calls run: Recorded gives back what the log holds, package
// workspace runs shell and file tools on copies in a sandbox, package process
// speaks JSON lines with a program (PROTOCOL.md), package mcpenv calls an MCP
// server. Find replays one episode in an Env, compares what comes back with the
// log, and shrinks the first violation to a minimal Window (requirement W1);
// Windows does so for a stream of episodes.
//
// Verdicts come from the environment's own checkers and from a monitor.Spec,
// evaluated over the structured context of each call that ran. A call that was
// stopped is no violation, and no text is ever judged (requirement L1).
//
// What belongs here: what an environment is, running an episode in it,
// comparing, and shrinking to a window. What never does: environments but
// Recorded, and the rules for harm (internal/replay/...); what is made of a
// window (internal/gates/learn).
//
// # What a window is
//
// Replaying calls i..j means: restore the state before call i, forget what
// happened before it (history, information flow, where values came from; not
// what the user said), execute i..j. The window of a verdict at call t is the
// shortest i..t whose replay draws that verdict at t, such that the replay of
// i+1..t draws it nowhere and the replay of i..t-1 draws it nowhere.
//
// The end is the least t whose replay from the start draws a verdict. That one
// is monotone in t, so where verdicts can only be asked for after a run (Judge)
// it is found by bisection. The start is not monotone, so it is found by a scan
// from the end (decision 3 of the requirements). A window of more than 256 calls
// is found by bisection and then tested to be minimal; a shorter one may exist.
//
// Where a checker objects to any call, the window is that of the first such call,
// whatever the monitors say of earlier ones.
//
// With Options.Every the later violating calls have windows too: the shortest
// i..t whose replay draws the verdict at t.
//
// # Evidence
//
// A replay that gives another result than the log is reported with the first
// step that differs and yields no windows. So does a second replay of the same
// calls that gives another result than the first. Everything here is a function
// of the episode, the environment's answers and the options.
package replay
