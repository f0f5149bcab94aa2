package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestServeScripts runs the scripts in testdata/serve. LOGS holds logs to distil
// a policy from, and PORT a port that is free; "ask" is a client: ask STATUS ADDRESS METHOD PATH [BODY] with
// the token of GBT_TOKEN, the answer in the file answer.
func TestServeScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/serve/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	examples, err := filepath.Abs("../../examples/logs/mini-swe-agent")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/serve",
		Setup: func(env *testscript.Env) error {
			env.Setenv("LOGS", examples)
			env.Setenv("GOGC", os.Getenv("GOGC")) // as the tests
			env.Setenv("XDG_RUNTIME_DIR", env.WorkDir)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".state"))
			ln, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
			if err != nil {
				return err
			}
			_, port, err := net.SplitHostPort(ln.Addr().String())
			env.Setenv("PORT", port)
			return errors.Join(err, ln.Close())
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "ask": ask},
	})
}

// ask waits for the server to listen, for at most ten seconds.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 || len(args) > 5 {
		ts.Fatalf("usage: ask STATUS ADDRESS METHOD PATH [BODY]")
	}
	network, name, _ := strings.Cut(args[1], "://")
	if network == "unix" {
		name = ts.MkAbs(name)
	}
	body := ""
	if len(args) == 5 {
		body = args[4]
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	web := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		for {
			c, err := (&net.Dialer{}).DialContext(ctx, network, name)
			if err == nil || ctx.Err() != nil {
				return c, err
			}
			time.Sleep(5 * time.Millisecond)
		}
	}}}
	req, err := http.NewRequestWithContext(ctx, args[2], "http://localhost"+args[3], strings.NewReader(body))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	if token := ts.Getenv("GBT_TOKEN"); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := web.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Logf("%d %s", res.StatusCode, data)
	if !strings.HasPrefix(res.Status, args[0]+" ") {
		ts.Fatalf("%s, want %s", res.Status, args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs("answer"), append(data, '\n'), 0o600))
}
