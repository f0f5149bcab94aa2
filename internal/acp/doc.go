// Package acp stands between an editor and a coding agent that speak the Agent Client
// Protocol (https://agentclientprotocol.com), and judges what the agent is about to
// do: the tool calls that it asks permission for, and the files and terminals that it
// uses through the editor.
//
// Proxy.Run passes lines on, both ways. An agent's session/request_permission that gbt
// rejects is answered with its own reject_once, and one that gbt asks about reaches the
// editor with gbt's reason and, where an answer must not be remembered, without
// allow_always. fs/write_text_file, fs/read_text_file and terminal/create that gbt asks
// about become a session/request_permission of gbt's own: allow_once, allow_always where
// the answer has a scope that may be remembered for the session, and reject_once. What
// can't be read, is answered with anything but an option that was offered, or outlives
// the editor, is refused.
//
// The proxy sees only what agents put before their editor: what an agent runs by itself
// without asking is seen by a hook, not here.
//
// What belongs here: the protocol's messages and which of them are judged. What never
// does: how a call is judged (gates) and what is remembered (gates/episode).
package acp
