package main

import (
	"path/filepath"

	"github.com/gbt-policy/gbt/internal/hosts"
)

// sampleCall is a call in a host's own shape and what must become of it.
type sampleCall struct {
	name  string
	input string
	want  wanted
}

// samplesFor returns calls for a host's event. They are only ever shown to the
// hook.
func samplesFor(h hosts.Host, event, dir, home string) []sampleCall {
	if home == "" {
		home = "/root"
	}
	secret := filepath.Join(home, ".ssh", "id_rsa")
	inside := filepath.Join(dir, "README.md")
	shell, read, unknown := h.Samples.Shell, h.Samples.Read, hosts.Tool{Name: "frobnicate", Key: "x"}
	sample := func(name string, want wanted, t hosts.Tool, value string) sampleCall {
		return sampleCall{name, h.SampleCall(event, dir, t, value), want}
	}
	switch h.Event(event).Sees {
	case hosts.Commands:
		return []sampleCall{
			sample("a dangerous command", wantBlocked, shell, "rm -rf /"),
			sample("a command that reads a secret", wantStopped, shell, "cat "+secret),
			sample("a harmless command", wantProceeds, shell, "ls"),
		}
	case hosts.MCPTools:
		return []sampleCall{sample("a tool that nobody knows", wantStopped, unknown, "y")}
	case hosts.FileReads:
		return []sampleCall{
			sample("a read of a secret", wantBlocked, read, secret),
			sample("a read in the workspace", wantProceeds, read, inside),
		}
	}
	harmless := wantProceeds
	if h.Prompts != nil && h.Prompts.Event == event {
		harmless = wantUnblocked // nobody decided on these before, so the host asks as it was about to
	}
	return []sampleCall{
		sample("a dangerous command", wantBlocked, shell, "rm -rf /"),
		sample("a read of a secret", wantStopped, read, secret),
		sample("a tool that nobody knows", wantStopped, unknown, "y"),
		sample("a harmless command", harmless, shell, "ls"),
		sample("a read in the workspace", harmless, read, inside),
	}
}
