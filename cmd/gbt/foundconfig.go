package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// foundName is the file of settings that is looked for where a command runs.
const foundName = "gbt.yaml"

// foundConfig takes ./gbt.yaml for --config where neither it nor a policy was named, and
// says so. One that its user has not accepted is not read: it may have come with somebody
// else's repository, and settings loosen decisions.
func foundConfig(e *env, c *cli.Context) error {
	if c.String("policy") != "" || c.String("config") != "" {
		return nil
	}
	name, data, err := foundFile()
	if err != nil || data == nil {
		return err
	}
	if !rulebook.Accepted(name, data) {
		fmt.Fprintf(e.stderr, "gbt: %s is here and is not read, since you have not accepted it: look at it, then run gbt rules trust, or name it with --config\n", foundName)
		return nil
	}
	fmt.Fprintf(e.stderr, "gbt: with the settings of %s\n", foundName)
	return c.Set("config", foundName)
}

// foundFile reads ./gbt.yaml; no data means that there is none.
func foundFile() (name string, data []byte, err error) {
	if name, err = filepath.Abs(foundName); err == nil {
		data, err = os.ReadFile(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil, nil
	}
	if err != nil {
		return name, nil, fail(exitInput, "%v", err)
	}
	return name, data, nil
}

// acceptConfig accepts ./gbt.yaml as it is, if it can be read as settings.
func acceptConfig(e *env) (found bool, err error) {
	name, data, err := foundFile()
	if err != nil || data == nil {
		return false, err
	}
	if _, err := distill.ReadConfig(data); err != nil {
		return true, fail(exitInput, "%s: %v", foundName, err)
	}
	if err := rulebook.Accept(name, data); err != nil {
		return true, fail(exitInput, "%v", err)
	}
	fmt.Fprintf(e.stdout, "accepted: the settings of %s\n", foundName)
	return true, nil
}

// sayConfig tells of a ./gbt.yaml that a command does not read by itself.
func sayConfig(e *env, c *cli.Context) {
	if _, data, err := foundFile(); err == nil && data != nil && c.String("config") == "" {
		fmt.Fprintf(e.stderr, "gbt: %s is here and is not read; --config %s does\n", foundName, foundName)
	}
}
