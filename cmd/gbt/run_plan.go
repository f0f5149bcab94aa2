package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/completion"
	"github.com/gbt-policy/gbt/internal/replay/workspace"
	"github.com/gbt-policy/gbt/traverse"
)

// planOf reads the plan of --plan, and the task that stands in it; nil without one.
func planOf(e *env, c *cli.Context, t *traverse.Task) (*completion.Plan, error) {
	name := c.String("plan")
	if name == "" {
		return nil, nil
	}
	p, err := readPlan(name)
	if err != nil {
		return nil, err
	}
	if p.DraftedBy != "" {
		fmt.Fprintf(e.stderr, "gbt: %s was drafted by the model %s\n", name, p.DraftedBy)
	}
	if t.Text == "" {
		t.Text = p.Task
	}
	if strings.TrimSpace(t.Text) == "" {
		return nil, fail(exitUsage, "%s names no task: write task: into it, or give --task", name)
	}
	return p, nil
}

// readPlan reads a plan; its error tells all that is wrong with it, by line.
func readPlan(name string) (*completion.Plan, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "%v", err)
	}
	p, problems := completion.Parse(data)
	if len(problems) == 0 {
		return p, nil
	}
	var lines []string
	for _, x := range problems {
		lines = append(lines, fmt.Sprintf("%s:%d: %s: %s", name, x.Line, x.Code, x.Text))
	}
	return nil, fail(exitInput, "%s", strings.Join(lines, "\ngbt: "))
}

// planHistory is the repository that a plan's steps are committed to: its state, and the
// workspace as it was.
type planHistory struct {
	e    *env
	dir  string
	plan string
	ws   *workspace.Workspace
}

const planStateFile = "gbt-plan.json"

func (h *planHistory) workspace() string { return filepath.Join(h.dir, "workspace") }

// open makes the repository, or returns what was committed last.
func (h *planHistory) open() ([]byte, error) {
	_, err := os.ReadFile(filepath.Join(h.dir, planStateFile))
	switch {
	case err == nil:
		was, err := os.ReadFile(filepath.Join(h.dir, "plan.yaml"))
		now, nowErr := os.ReadFile(h.plan)
		if err != nil || nowErr != nil || completion.Digest(was) != completion.Digest(now) {
			return nil, fail(exitUsage, "%s holds the history of another plan: give another directory", h.dir)
		}
		// What was not committed was cut off in the middle: the commit is what counts.
		if err := h.git("reset", "--quiet", "--hard"); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(filepath.Join(h.dir, planStateFile))
		if err != nil {
			return nil, fail(exitInput, "%v", err)
		}
		return data, h.git("clean", "--quiet", "-fdx")
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fail(exitInput, "%v", err)
	}
	if list, err := os.ReadDir(h.dir); err == nil && len(list) > 0 {
		return nil, fail(exitUsage, "--git %s is neither empty nor the history of a plan", h.dir)
	}
	if err := os.MkdirAll(h.dir, 0o755); err != nil {
		return nil, cannotWrite(h.dir, err)
	}
	return nil, h.git("init", "--quiet")
}

// keep commits one change.
func (h *planHistory) keep(state []byte) error {
	if err := os.RemoveAll(h.workspace()); err != nil {
		return err
	}
	if err := keepOutput(h.e, h.workspace(), h.ws.Dir()); err != nil {
		return err
	}
	plan, err := os.ReadFile(h.plan)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(h.dir, "plan.yaml"), plan, 0o644); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(h.dir, planStateFile), state, 0o644); err != nil {
		return err
	}
	if err := h.git("add", "--all", "--force", "."); err != nil {
		return err
	}
	return h.git("-c", "user.name=gbt", "-c", "user.email=gbt@localhost", "-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "--message", "gbt run: a step of the plan")
}

// git runs git in the repository, without hooks: what the workspace holds starts nothing.
func (h *planHistory) git(args ...string) error {
	cmd := exec.CommandContext(h.e.ctx, "git", append([]string{"-C", h.dir, "-c", "core.hooksPath=/dev/null"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fail(exitInput, "git %s in %s: %v: %s", args[0], h.dir, err, strings.TrimSpace(string(out)))
	}
	return nil
}
