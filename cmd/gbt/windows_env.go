package main

import (
	"encoding/json"
	"errors"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/replay/mcpenv"
	"github.com/gbt-policy/gbt/internal/replay/process"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/replay"
)

// liveFlags say where calls are run again, in place of the log's own results.
func liveFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "env", Usage: "run the calls in the environment that `COMMAND` starts (replay/PROTOCOL.md)"},
		&cli.StringFlag{Name: "env-config", Usage: "give the environment the JSON in `FILE`"},
		&cli.StringFlag{Name: "workspace", Usage: "run shell and file tools on copies of `DIR`, in a sandbox without network (needs bubblewrap)"},
		&cli.StringFlag{Name: "mcp", Usage: "run the calls on the MCP server that `COMMAND` starts"},
		&cli.BoolFlag{Name: "loose", Usage: "compare only the letters of results: not times, sizes, process ids, quotes and line breaks"},
		&cli.BoolFlag{Name: "cold", Usage: "try every window from the very beginning, so that it holds all that the violation needs"},
	}
}

// liveGiven says that the calls are to be run again.
func liveGiven(c *cli.Context) bool { return liveCount(c) > 0 }

func liveCount(c *cli.Context) (given int) {
	for _, name := range []string{"env", "workspace", "mcp"} {
		if c.String(name) != "" {
			given++
		}
	}
	return given
}

// openEnv starts the environment that the flags name, nil for the log's own
// results.
func openEnv(c *cli.Context) (replay.Env, error) {
	if liveCount(c) > 1 {
		return nil, fail(exitUsage, "--env, --workspace and --mcp exclude each other")
	}
	if c.String("env-config") != "" && c.String("env") == "" {
		return nil, fail(exitUsage, "--env-config needs --env")
	}
	switch {
	case c.String("env") != "":
		return openProcess(c)
	case c.String("workspace") != "":
		return openWorkspace(c)
	case c.String("mcp") != "":
		e, err := mcpenv.New(mcpenv.Options{Command: strings.Fields(c.String("mcp"))})
		if err != nil {
			return nil, fail(exitUsage, "--mcp: %v", err)
		}
		return e, nil
	}
	return nil, nil
}

func openProcess(c *cli.Context) (replay.Env, error) {
	opts := process.Options{Command: strings.Fields(c.String("env"))}
	if name := c.String("env-config"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fail(exitInput, "%v", err)
		}
		if !json.Valid(data) {
			return nil, fail(exitInput, "%s is not JSON", name)
		}
		opts.Config = data
	}
	p, err := process.Start(c.Context, opts)
	if err != nil {
		return nil, fail(exitInput, "--env: %v", err)
	}
	return p, nil
}

func openWorkspace(c *cli.Context) (replay.Env, error) {
	dir := c.String("workspace")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fail(exitInput, "--workspace %s is no directory", dir)
	}
	w, err := workspace.New(c.Context, workspace.Options{Snapshot: func(*corpora.Episode) (string, error) { return dir, nil }})
	if errors.Is(err, workspace.ErrNoSandbox) {
		return nil, fail(exitInput, "%v: nothing was run", err)
	}
	if err != nil {
		return nil, fail(exitInput, "--workspace: %v", err)
	}
	return w, nil
}
