package main

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
	"github.com/gbt-policy/gbt/internal/decisions"
	"github.com/gbt-policy/gbt/internal/gates/source"
	"github.com/gbt-policy/gbt/internal/mcpproxy"
	"github.com/gbt-policy/gbt/internal/redact"
	"github.com/gbt-policy/gbt/internal/rulebook"
	storenames "github.com/gbt-policy/gbt/internal/stores/named"
	"github.com/gbt-policy/gbt/traverse"
)

func mcpCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "mcp",
		Usage:     "put gates between an MCP client and MCP servers",
		ArgsUsage: "[-- SERVER ARGS...]",
		Description: "Speaks MCP on standard input and output, or over streamable HTTP with --listen, and offers what the servers offer.\n" +
			"Every tools/call is checked before it is forwarded; a stopped call is answered with an error that says why and what\n" +
			"would be allowed. The servers are one command after --, or those of --servers, a file in the form that MCP hosts use:\n\n" +
			"   {\"mcpServers\":{\"files\":{\"command\":\"npx\",\"args\":[\"...\"],\"env\":{}},\"web\":{\"url\":\"https://...\"}}}\n\n" +
			"Tools are judged as mcp__server__tool. With --policy the client also gets gbt_start, gbt_plan, gbt://spine and\n" +
			"gbt://policy. What needs a confirmation asks the user through the client (elicitation), or through a file that the\n" +
			"user creates in --confirmations. --task gives the user's own words: without it nothing counts as named by the user.\n\n" +
			"Examples:\n" +
			"   gbt mcp --policy policy.gbt --trust team.pub -- npx -y @modelcontextprotocol/server-filesystem .\n" +
			"   gbt mcp --config gbt.yaml --servers mcp.json --listen 127.0.0.1:7332 --token-file token",
		Flags: append(checkerFlags(),
			&cli.StringFlag{Name: "servers", Usage: "the MCP servers in `FILE`"},
			&cli.StringFlag{Name: "name", Value: "server", Usage: "`NAME` of the server after --, as in mcp__NAME__tool"},
			&cli.StringFlag{Name: "task", Usage: "what the user asked for, in the user's `WORDS`"},
			&cli.Int64Flag{Name: "max-steps", Usage: "stop a task after `N` steps (default: 50); the policy's own pack stops it in any case"},
			&cli.DurationFlag{Name: "max-time", Usage: "stop a task after `DURATION` (default: 30m)"},
			&cli.StringFlag{Name: "confirmations", Usage: "`DIR` in which the user confirms calls by creating files"},
			&cli.StringFlag{Name: "pin", Usage: "keep in `FILE` what the servers first said of their tools; a call of one that has changed since asks"},
			&cli.DurationFlag{Name: "timeout", Value: time.Minute, Usage: "of one call to a server"},
			&cli.StringFlag{Name: "log", Usage: "append every decision to `FILE`, secrets replaced by digests; off keeps none (default: the log that gbt log reads)"},
			&cli.BoolFlag{Name: "verbose", Usage: "print what the servers write to standard error; without it only the last lines of one that fails"},
			runsFlag(),
			&cli.StringFlag{Name: "store", Usage: "keep a receipt of every call, without secrets, in the database `NAME` for gbt sessions: sqlite:FILE, bbolt:FILE, *.sqlite or *.db"},
			&cli.StringFlag{Name: "listen", Usage: "serve streamable HTTP on a loopback `ADDRESS` (host:port; port 0 for a free one)"},
			&cli.StringFlag{Name: "token-file", Usage: "HTTP clients must send the bearer token in `FILE`"},
			&cli.BoolFlag{Name: "no-token", Usage: "let every program of this machine use --listen"},
		),
		Action: func(c *cli.Context) error { return runMCP(e, c) },
	}
}

func runMCP(e *env, c *cli.Context) error {
	if err := mcpUsage(c); err != nil {
		return err
	}
	token, err := readToken(c)
	if err != nil {
		return err
	}
	opts, closeLog, err := mcpOptions(e, c)
	if err != nil {
		return err
	}
	kept, err := openProxyReceipts(c, opts.Digest)
	if err != nil {
		return errors.Join(err, closeLog())
	}
	kept.into(&opts)
	closeAll := func() error { return errors.Join(kept.close(), closeLog()) }
	p, err := mcpproxy.New(c.Context, opts)
	if err != nil {
		return errors.Join(fail(exitInput, "%v", err), closeAll())
	}
	if addr := c.String("listen"); addr != "" {
		err = listenMCP(e, c.Context, p, addr, token)
	} else {
		err = p.Run(c.Context, mcpproxy.Stdio(closer(e.stdin), e.stdout))
		if c.Context.Err() != nil || errors.Is(err, io.EOF) {
			err = nil // the client went away, or somebody ended it
		}
	}
	p.Close()
	if err == nil {
		return closeAll()
	}
	return errors.Join(fail(exitInput, "%v", err), closeAll())
}

func mcpUsage(c *cli.Context) error {
	switch {
	case c.NArg() == 0 && c.String("servers") == "":
		return fail(exitUsage, "mcp needs a server: gbt mcp [--policy policy.gbt] -- SERVER ARGS..., or --servers mcp.json")
	case c.NArg() > 0 && c.String("servers") != "":
		return fail(exitUsage, "give either a server after -- or --servers, not both")
	case c.Duration("timeout") <= 0:
		return fail(exitUsage, "--timeout must be longer than nothing")
	case c.IsSet("max-steps") && c.Int64("max-steps") < 1:
		return fail(exitUsage, "--max-steps must be at least 1")
	case c.IsSet("max-time") && c.Duration("max-time") < time.Second:
		return fail(exitUsage, "--max-time must be at least a second")
	case c.String("listen") == "" && (c.String("token-file") != "" || c.Bool("no-token")):
		return fail(exitUsage, "--token-file and --no-token need --listen")
	case c.String("listen") != "" && (c.String("token-file") == "") == !c.Bool("no-token"):
		return fail(exitUsage, "--listen needs --token-file, or --no-token to let every program of this machine in")
	}
	if addr := c.String("listen"); addr != "" && !loopback(addr) {
		return fail(exitUsage, "--listen %s: give a loopback address, such as 127.0.0.1:7332", addr)
	}
	if dir := c.String("confirmations"); dir != "" {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return fail(exitUsage, "--confirmations %s is no directory", dir)
		}
	}
	return nil
}

// loopback says whether an address can be reached from this machine alone. A name
// other than localhost may lead anywhere.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

func readToken(c *cli.Context) (string, error) {
	name := c.String("token-file")
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fail(exitInput, "%v", err)
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 16 || strings.ContainsAny(token, " \t\r\n") {
		return "", fail(exitUsage, "%s: a token is one word of at least 16 characters", name)
	}
	return token, nil
}

// mcpOptions gathers what the proxy is told by flags and files.
func mcpOptions(e *env, c *cli.Context) (mcpproxy.Options, func() error, error) {
	nothing := func() error { return nil }
	j, err := newJudge(e, c)
	if err != nil {
		return mcpproxy.Options{}, nothing, err
	}
	j.checker.Rules = rulesHere(j.roots)
	opts := mcpproxy.Options{
		Checker: j.checker, Digest: j.digest, Task: c.String("task"), Timeout: c.Duration("timeout"), Stderr: e.stderr, Aloud: c.Bool("verbose"),
		Shadow: j.checker.Guardrail.Profile == gates.ProfileObserve,
		Limits: traverse.Limits{Steps: c.Int64("max-steps"), WallSeconds: int64(c.Duration("max-time") / time.Second)},
	}
	if opts.Servers, err = mcpServers(c); err != nil {
		return opts, nothing, err
	}
	if opts.State, err = mcpState(j); err != nil {
		return opts, nothing, err
	}
	if j.content != nil {
		opts.Content = func(ctx context.Context, gc *gates.Context, d *gates.Decision) { j.content.ask(ctx, gc, d) }
	}
	if err := mcpPolicy(c, &opts); err != nil {
		return opts, nothing, err
	}
	if err := mcpProtect(c, j.checker, &opts); err != nil {
		return opts, nothing, err
	}
	if err := mcpPins(c.String("pin"), &opts); err != nil {
		return opts, nothing, err
	}
	runs, err := openRunLog(e, c.String("runs"))
	if err != nil {
		return opts, nothing, err
	}
	if runs != nil {
		runs.policy = j.digest
		opts.Record = runs.proxied()
	}
	name := c.String("log")
	if name == "" || name == noLog {
		if k := keptLog(e, "mcp"); name == "" && k != nil {
			opts.Log = keepMCP(k, j.digest)
		}
		return opts, runs.Close, nil
	}
	det, err := redact.New()
	if err != nil {
		return opts, nothing, err
	}
	log, err := openDecisionLog(name, det)
	if err != nil {
		return opts, nothing, fail(exitInput, "%v", err)
	}
	opts.Log = logMCP(j, log)
	return opts, func() error { return errors.Join(log.Close(), runs.Close()) }, nil
}

// logMCP writes decisions as gbt check does. The proxy calls it for one decision
// at a time.
func logMCP(j *judge, log *decisionLog) func(mcpproxy.Event) error {
	line := 0
	return func(ev mcpproxy.Event) error {
		line++
		a := j.answer(nil, ev.Context, ev.Decision)
		a.DecisionID, a.Confirmed = ev.ID, ev.Confirmed
		in := &callInput{Tool: ev.Tool, Args: json.RawMessage(ev.Args), Cwd: ev.Context.Cwd}
		if err := log.Add(j.digest, line, in, ev.Context, a); err != nil {
			return err
		}
		return log.Flush()
	}
}

func mcpServers(c *cli.Context) ([]mcpproxy.Server, error) {
	name := c.String("servers")
	if name == "" {
		s := mcpproxy.Server{Name: c.String("name"), Command: c.Args().Slice()}
		if err := s.Check(); err != nil {
			return nil, fail(exitUsage, "%v", err)
		}
		return []mcpproxy.Server{s}, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	list, err := mcpproxy.ParseServers(data, os.LookupEnv)
	if err != nil {
		return nil, fail(exitInput, "%s: %v", name, err)
	}
	return list, nil
}

// mcpState says where servers run: beside the proxy.
func mcpState(j *judge) (func() gates.State, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	st := gates.State{Naming: scope.Naming{}, Cwd: filepath.ToSlash(cwd), Home: j.home, Roots: j.roots, UID: os.Getuid(), GID: os.Getgid(), Compiled: source.Reader{}}
	if st.Home == "" {
		st.Home, _ = os.UserHomeDir() // without one, ~ resolves to nothing that is inside
	}
	if len(st.Roots) == 0 {
		st.Roots = []string{st.Cwd}
	}
	st.Facts = rulebook.Facts(st.Cwd)
	return func() gates.State { return st }, nil
}

// mcpPolicy makes the traverser ready where there is a policy. newJudge has
// opened and verified it once; here it must be the same one.
func mcpPolicy(c *cli.Context, opts *mcpproxy.Options) error {
	name := c.String("policy")
	if name == "" {
		return nil
	}
	p, info, err := readPolicy(name, trustOf(c))
	if err != nil {
		return err
	}
	if !strings.HasPrefix(opts.Digest, info.Digest) {
		return fail(exitInput, "%s changed while it was read; start again", name)
	}
	if opts.Policy, err = traverse.New(p, traverse.Options{Digest: info.Digest, Rules: opts.Checker.Rules}); err != nil {
		return fail(exitInput, "%s: %v", name, err)
	}
	doc, err := review.New(p, info, review.Options{})
	if err != nil {
		return fail(exitInput, "%s: %v", name, err)
	}
	opts.About = string(doc.Text())
	return nil
}

// mcpPins reads the pinned definitions of tools, and keeps them where they were.
// Without the file the first run makes it.
func mcpPins(name string, opts *mcpproxy.Options) error {
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		opts.Pins, err = mcpproxy.ReadPins(data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "--pin %s: %v; to trust what the servers say now, remove it", name, err)
	}
	opts.SavePins = func(p mcpproxy.Pins) error {
		data, err := p.Text()
		if err != nil {
			return err
		}
		return writeFile(name, data, 0o600)
	}
	return nil
}

// mcpProtect keeps calls away from the files that decide about them.
func mcpProtect(c *cli.Context, k *gates.Checker, opts *mcpproxy.Options) error {
	for _, flag := range []string{"policy", "config", "servers", "log", "runs", "token-file", "confirmations", "pin"} {
		name := c.String(flag)
		if name == "" || flag == "log" && name == noLog {
			continue
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			return fail(exitUsage, "--%s %s: %v", flag, name, err)
		}
		k.Guardrail.Protected = append(k.Guardrail.Protected, filepath.ToSlash(abs))
		if flag == "confirmations" {
			opts.Confirmations = abs
		}
	}
	if name := c.String("store"); name != "" {
		_, file := storenames.Of(name)
		abs, err := filepath.Abs(file)
		if err != nil {
			return fail(exitUsage, "--store %s: %v", name, err)
		}
		k.Guardrail.Protected = append(k.Guardrail.Protected, filepath.ToSlash(abs), filepath.ToSlash(abs)+".key")
	}
	if dir, err := decisions.DefaultDir(); err == nil {
		k.Guardrail.Protected = append(k.Guardrail.Protected, filepath.ToSlash(dir))
	}
	trust, err := protectTrust(c)
	k.Guardrail.Protected = append(k.Guardrail.Protected, trust...)
	return err
}

// listenMCP serves HTTP until the context ends.
func listenMCP(e *env, ctx context.Context, p *mcpproxy.Proxy, addr, token string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "gbt: serving MCP on http://%s/\n", l.Addr())
	srv := &http.Server{Handler: bearer(token, p.Handler()), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err = <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if srv.Shutdown(grace) != nil { // open event streams never end by themselves
		srv.Close()
	}
	<-done
	return nil
}

// bearer asks for the token, where there is one.
func bearer(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	want := []byte("Bearer " + token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="gbt"`)
			http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// closer makes a reader closable: closing standard input ends a read that waits.
func closer(r io.Reader) io.ReadCloser {
	if rc, ok := r.(io.ReadCloser); ok {
		return rc
	}
	return io.NopCloser(r)
}
