package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/protocol"
)

// noLog is the word of --log that keeps nothing.
const noLog = "off"

// keptLog is the user's own decision log, which servers keep where --log names no file;
// nil where nobody knows its place.
func keptLog(e *env, host string) *decisions.Keeper {
	failed := func(err error) { fmt.Fprintf(e.stderr, "gbt: decision log: %v\n", err) }
	dir, err := decisions.DefaultDir()
	if err != nil {
		failed(err)
		return nil
	}
	return &decisions.Keeper{Log: &decisions.Log{Dir: dir}, Host: host, Failed: failed}
}

// keepMCP notes the decisions of a proxy: one session for as long as it lives.
func keepMCP(k *decisions.Keeper, policy string) func(mcpproxy.Event) error {
	session := shortDigest("mcp", rand.Text())
	return func(ev mcpproxy.Event) error {
		call := shortDigest(ev.Tool, string(ev.Args))
		if ev.Confirmed {
			k.Agreed(session, call, time.Now())
			return nil
		}
		k.Keep(session, call, ev.Context, ev.Decision, ev.ID, policy, time.Now())
		return nil
	}
}

// keepServed notes the decisions of a server.
func keepServed(k *decisions.Keeper) func(*protocol.Logged) error {
	return func(d *protocol.Logged) error {
		session := shortDigest("serve", d.Session)
		k.Keep(session, shortDigest(d.Call.Tool, string(d.Call.Args)), d.Context, d.Decision, d.ID, d.Policy, time.Now())
		return nil
	}
}

func shortDigest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
