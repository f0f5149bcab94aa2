package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/rules"
)

// Exit codes, documented in the README and in `gbt --help`.
const (
	exitGood       = 0
	exitFindings   = 1
	exitUsage      = 2
	exitReadmitted = 3
	exitSignature  = 4
	exitInput      = 5
	exitEnded      = 6 // a run that ended with nobody having examined the result
)

// env is what a command may touch of the outside world.
type env struct {
	ctx    context.Context
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	// terminal is standard error where it is one, for what moves; else nil.
	terminal *os.File
}

// exitError carries an exit code with the message printed for it. An empty
// message means that the command has already said what there is to say.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// fail makes an error that ends the program with code.
func fail(code int, format string, args ...any) error {
	return &exitError{code: code, err: fmt.Errorf(format, args...)}
}

// run is the whole program: it takes arguments and streams and returns the
// exit code. Interrupt cancels the context that every command works under.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second one ends the program at once
	out := &results{to: terminalEscape{stdout}}
	e := &env{ctx: ctx, stdin: stdin, stdout: out, terminal: terminalOf(stderr)}
	stderr = terminalEscape{stderr}
	e.stderr = stderr
	app := newApp(e)
	var help bytes.Buffer // the library prints help on wrong usage too: that is no result
	app.Writer = &help
	if err := commandOf(app, args); err != nil {
		return usage(app, stderr, args, err, &help)
	}
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err == nil && help.Len() > 0 {
		out.Write(plainHelp(help.Bytes()))
	}
	if own := new(exitError); err != nil && !errors.As(err, &own) {
		err = wrongFlags(app, args, err)
	}
	if failed := out.failed(); failed != nil {
		err = cannotWrite("standard output", failed)
	}
	return report(stderr, err)
}

func report(stderr io.Writer, err error) int {
	if err == nil {
		return exitGood
	}
	var ee *exitError
	if !errors.As(err, &ee) {
		ee = &exitError{code: exitUsage, err: err}
	}
	if msg := ee.Error(); msg != "" {
		fmt.Fprintf(stderr, "gbt: %s\n", msg)
	}
	return ee.code
}

func newApp(e *env) *cli.App {
	app := &cli.App{
		Name:  "gbt",
		Usage: "turn agent logs into an explicit, signed, gated policy",
		Description: "Exit codes: 0 good; 1 findings; 2 wrong usage; 3 an unsafe context re-admitted or a weaker policy; 4 a bad or\n" +
			"missing signature; 5 unreadable input or unwritable output; 6 a run that ended unexamined. Results go to standard output, the rest to standard error.",
		Reader:          e.stdin,
		Writer:          e.stdout,
		ErrWriter:       e.stderr,
		HideHelpCommand: true,
		// Errors are printed and turned into exit codes by report.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return fail(exitUsage, "%v; see gbt --help", err)
		},
		Commands: []*cli.Command{
			initCommand(e),
			importCommand(e),
			inspectCommand(e),
			distillCommand(e),
			evolveCommand(e),
			evalCommand(e),
			checkCommand(e),
			explainCommand(e),
			ruleCommand(e, rules.Allow, "let calls pass that the guard asks about"),
			ruleCommand(e, rules.Ask, "ask about calls each time"),
			ruleCommand(e, rules.Deny, "stop calls, always or until something holds"),
			rulesCommand(e),
			consentCommand(e),
			windowsCommand(e),
			replayCommand(e),
			canaryCommand(e),
			gatesCommand(e),
			keygenCommand(e),
			keysCommand(e),
			signCommand(e),
			verifyCommand(e),
			showCommand(e),
			viewCommand(e),
			exportCommand(e),
			searchCommand(e),
			diffCommand(e),
			gitCommand(e),
			serveCommand(e),
			hookCommand(e),
			approvalsCommand(e),
			acpCommand(e),
			logCommand(e),
			doctorCommand(e),
			mcpCommand(e),
			runCommand(e),
			sessionsCommand(e),
			planCommand(e),
			auditCommand(e),
			undoCommand(e),
		},
	}
	refuseEmpty(app.Commands)
	return app
}
