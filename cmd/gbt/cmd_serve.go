package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/serve"
	"github.com/gbt-policy/gbt/internal/serve/otlp"
	"github.com/gbt-policy/gbt/traverse"
)

func serveCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "serve",
		Usage: "let hosts in any language run under a policy, over HTTP or stdio",
		Description: "Offers start, propose, check, confirm, observe, report and finish as HTTP with JSON, or with --stdio as JSON-RPC 2.0,\n" +
			"one object a line. GET /v1/openapi.yaml is the contract. Also /v1/policy, /healthz, /readyz and /metrics.\n\n" +
			"Listens on a unix socket that only its owner may open: " + "$XDG_RUNTIME_DIR/gbt.sock, else gbt-UID/gbt.sock among the\n" +
			"temporary files, unless --listen says otherwise. On TCP every request needs the token of --token-file or of the\n" +
			"environment variable GBT_TOKEN, and other addresses than loopback need --allow-remote.\n\n" +
			"With --ui the policy's page (gbt view) is at http://ADDRESS/ui for a browser, which asks for a name, any, and the token as\n" +
			"the password. It loads nothing from elsewhere.\n\n" +
			"With --store sessions are on the disk before each answer and go on after a restart, under the policy then in force. In a\n" +
			"database each call leaves a receipt too: gbt sessions shows them.\n" +
			"OTEL_EXPORTER_OTLP_ENDPOINT and the other standard variables turn on OpenTelemetry spans.\n\n" +
			"Examples:\n" +
			"   gbt serve --policy policy.gbt --trust team.pub --store sessions/\n" +
			"   curl --unix-socket \"$XDG_RUNTIME_DIR/gbt.sock\" http://localhost/v1/policy\n" +
			"   GBT_TOKEN=$(cat token) gbt serve --policy policy.gbt --listen tcp://127.0.0.1:7788 --ui\n" +
			"   echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getPolicy\"}' | gbt serve --policy policy.gbt --stdio",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "policy", Usage: "serve the policy in `FILE`"},
			trustFlag("a policy"), needFlag(), minSequenceFlag(), seenFlag(),
			&cli.StringFlag{Name: "listen", Usage: "listen on `ADDRESS`: unix:///path or tcp://127.0.0.1:port"},
			&cli.BoolFlag{Name: "stdio", Usage: "answer JSON-RPC on standard input and output instead of listening"},
			&cli.StringFlag{Name: "token-file", Usage: "ask every request for the bearer token in `FILE`"},
			&cli.BoolFlag{Name: "allow-remote", Usage: "listen on an address that other machines can reach; put TLS in front of it"},
			&cli.BoolFlag{Name: "ui", Usage: "show the policy's page at /ui, on --listen tcp://ADDRESS"},
			&cli.StringFlag{Name: "store", Usage: "keep sessions in the database `NAME`, with receipts (bbolt:FILE, sqlite:FILE, *.db, *.sqlite), or in a folder, without"},
			&cli.BoolFlag{Name: "shadow", Usage: "decide and report, but never steer and stop no call"},
			&cli.StringFlag{Name: "log", Usage: "append every decision to `FILE`, secrets replaced by digests; off keeps none (default: the log that gbt log reads)"},
			runsFlag(),
			&cli.IntFlag{Name: "max-sessions", Value: 4096, Usage: "keep at most `N` sessions in memory"},
			&cli.DurationFlag{Name: "ttl", Value: 24 * time.Hour, Usage: "a session idle for longer than `TIME` expires; with --store it only leaves the memory"},
			&cli.Int64Flag{Name: "max-body", Value: 8 << 20, Usage: "refuse requests longer than `BYTES`"},
		},
		Action: func(c *cli.Context) error { return runServe(e, c) },
	}
}

func runServe(e *env, c *cli.Context) error {
	address, err := serveAddress(c)
	if err != nil {
		return err
	}
	opt, done, err := serveOptions(e, c, address)
	if err != nil {
		return err
	}
	runs, err := openRunLog(e, c.String("runs"))
	if err != nil {
		return errors.Join(err, done())
	}
	defer runs.Close()
	s, err := newServer(e, c, opt, runs)
	if err == nil && c.Bool("stdio") {
		err = s.Stdio(c.Context, e.stdin, e.stdout)
	} else if err == nil {
		err = listenAndServe(e, c.Context, s, address)
	}
	return errors.Join(err, done())
}

// serveAddress checks the flags against each other and reads the address.
func serveAddress(c *cli.Context) (serve.Address, error) {
	var none serve.Address
	switch {
	case c.NArg() > 0:
		return none, fail(exitUsage, "serve takes no arguments: gbt serve --policy policy.gbt")
	case c.String("policy") == "":
		return none, fail(exitUsage, "serve needs a policy: gbt serve --policy policy.gbt")
	case c.Int("max-sessions") < 1 || c.Int64("max-body") < 1 || c.Duration("ttl") <= 0:
		return none, fail(exitUsage, "--max-sessions, --max-body and --ttl are above zero")
	case c.Bool("ui") && !strings.HasPrefix(c.String("listen"), "tcp://"):
		return none, fail(exitUsage, "--ui is for browsers, which open no socket: add --listen tcp://127.0.0.1:7788")
	case c.Bool("stdio") && (c.String("listen") != "" || c.String("token-file") != "" || c.Bool("allow-remote")):
		return none, fail(exitUsage, "--stdio listens on nothing: leave out --listen, --token-file and --allow-remote")
	case c.Bool("stdio"):
		return none, nil
	case c.String("listen") == "":
		return serve.Address{Network: "unix", Name: serve.DefaultSocket()}, nil
	}
	a, err := serve.ParseAddress(c.String("listen"))
	if err != nil {
		return none, fail(exitUsage, "--listen: %v", err)
	}
	if a.Network == "tcp" && !a.Loopback(c.Context) && !c.Bool("allow-remote") {
		return none, fail(exitUsage, "--listen %s: other machines can reach this address; say --allow-remote if that is meant", a)
	}
	return a, nil
}

// serveOptions opens what the flags name; done closes it.
func serveOptions(e *env, c *cli.Context, a serve.Address) (opt serve.Options, done func() error, err error) {
	var closers []func() error
	done = func() error {
		var errs []error
		for _, f := range closers {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, done())
		}
	}()
	opt = serve.Options{Shadow: c.Bool("shadow"), MaxSessions: c.Int("max-sessions"), TTL: c.Duration("ttl"), MaxBody: c.Int64("max-body")}
	if opt.Token, err = serveToken(c, a); err != nil {
		return opt, done, err
	}
	if name := c.String("store"); name != "" {
		store, shut, err := serve.OpenStore(name)
		if err != nil {
			return opt, done, fail(exitInput, "--store: %v", err)
		}
		opt.Store = store
		closers = append(closers, shut)
	}
	switch name := c.String("log"); name {
	case noLog:
	case "":
		if k := keptLog(e, "serve"); k != nil {
			opt.Log = keepServed(k)
		}
	default:
		l, err := openServeLog(name)
		if err != nil {
			return opt, done, fail(exitInput, "%v", err)
		}
		opt.Log = l.add
		closers = append(closers, l.log.Close)
	}
	if otlp.Wanted() {
		provider, stop, err := otlp.New(c.Context, func(err error) { fmt.Fprintf(e.stderr, "gbt: OpenTelemetry: %v\n", err) })
		if err != nil {
			return opt, done, fail(exitUsage, "OpenTelemetry: %v", err)
		}
		opt.Tracer = provider
		closers = append(closers, func() error {
			if err := stop(); err != nil { // spans are a convenience: what they lose is said, and no more
				fmt.Fprintf(e.stderr, "gbt: OpenTelemetry: %v\n", err)
			}
			return nil
		})
	}
	return opt, done, nil
}

// tokenVariable is the environment variable that may hold the token.
const tokenVariable = "GBT_TOKEN"

// minToken is the fewest characters of a token: 128 bits in hexadecimal are 32,
// in base64 22; below 16 a guess is no longer out of the question.
const minToken = 16

// serveToken reads the bearer token. TCP needs one; a socket has one only if it
// is asked for.
func serveToken(c *cli.Context, a serve.Address) (string, error) {
	token, from := "", ""
	if name := c.String("token-file"); name != "" {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", fail(exitInput, "token: %v", err)
		}
		token, from = strings.TrimSpace(string(data)), name
	} else if a.Network == "tcp" {
		token, from = os.Getenv(tokenVariable), tokenVariable
	}
	switch {
	case from == "":
		return "", nil
	case token == "":
		return "", fail(exitUsage, "%s: no token; give one with --token-file FILE or in %s, for example from: openssl rand -hex 32", a, tokenVariable)
	case len(token) < minToken:
		return "", fail(exitUsage, "%s: the token has %d characters; give at least %d", from, len(token), minToken)
	}
	return token, nil
}

func newServer(e *env, c *cli.Context, opt serve.Options, runs *runLog) (*serve.Server, error) {
	p, info, err := openDoor(e, c.String("policy"), trustOf(c))
	if err != nil {
		return nil, err
	}
	policy, err := traverse.New(p, traverse.Options{Digest: info.Digest, Rules: rulesHere(p.Guardrail.Roots)})
	if err != nil {
		return nil, fail(exitInput, "%s: %v", c.String("policy"), err)
	}
	opt.Info = *info
	if runs != nil {
		runs.policy, opt.Record = info.Digest, runs.exchange
	}
	if c.Bool("ui") {
		if opt.Page, err = servedPage(e, c, p, info); err != nil {
			return nil, err
		}
	}
	return serve.New(policy, opt)
}

func listenAndServe(e *env, ctx context.Context, s *serve.Server, a serve.Address) error {
	ln, err := serve.Listen(a)
	if err != nil {
		return fail(exitInput, "cannot listen: %v", err)
	}
	defer ln.Close() // closed already where serving ended well
	shown := a.Network + "://" + ln.Addr().String()
	fmt.Fprintf(e.stderr, "gbt: listening on %s\n", shown)
	if err := s.Serve(ctx, ln, log.New(e.stderr, "gbt: ", 0)); err != nil {
		return fail(exitInput, "%s: %v", shown, err)
	}
	fmt.Fprintln(e.stderr, "gbt: stopped")
	return nil
}
