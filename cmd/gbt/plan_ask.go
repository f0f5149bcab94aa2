package main

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/gates/content/openai"
	secretnames "github.com/gbt-policy/gbt/internal/gates/names"
)

// askedFlags name a model that is asked about a task, as those of gbt run do.
func askedFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "the endpoint's `URL`, as http://host:port/v1"},
		&cli.StringFlag{Name: "model-name", Value: "default", Usage: "`NAME` of the model, for endpoints that have several"},
		&cli.StringFlag{Name: "key-env", Value: "OPENAI_API_KEY", Usage: "`NAME` of the variable with the endpoint's key, if it is set"},
		&cli.DurationFlag{Name: "timeout", Value: 2 * time.Minute, Usage: "of one request to the model"},
		&cli.StringFlag{Name: "answers", Usage: "keep the answers in `FILE`, and take those that it has from there: the same bytes come again"},
	}
}

// askedUsage checks what askedFlags say.
func askedUsage(c *cli.Context) error {
	where := c.String("model")
	if where == "" {
		return fail(exitUsage, "%s needs --model: the address of an OpenAI-compatible endpoint, as http://host:port/v1", c.Command.Name)
	}
	if u, err := url.Parse(where); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fail(exitUsage, "--model %s is no http or https address", where)
	}
	if c.Duration("timeout") <= 0 {
		return fail(exitUsage, "--timeout must be longer than nothing")
	}
	return nil
}

// asksModel says whether a command is to ask a model that it can do without.
func asksModel(c *cli.Context) (bool, error) {
	if c.String("model") != "" {
		return true, askedUsage(c)
	}
	if c.IsSet("model-name") || c.IsSet("answers") {
		return false, fail(exitUsage, "--model-name and --answers are about a model: give its address with --model")
	}
	return false, nil
}

// openAsked makes the model that askedFlags name. keep writes its answers.
func openAsked(c *cli.Context) (chat *openai.Classifier, keep func() error, err error) {
	client := &http.Client{Timeout: c.Duration("timeout")}
	keep = func() error { return nil }
	if name := c.String("answers"); name != "" {
		p := &proposer{file: name}
		if err := p.open(); err != nil {
			return nil, nil, err
		}
		client.Transport, keep = p.cassette, p.keep
	}
	return &openai.Classifier{URL: c.String("model"), Model: c.String("model-name"), Key: os.Getenv(c.String("key-env")), Client: client}, keep, nil
}

// The bounds of a listing: a model is told at most so many names, of what is at most so
// deep, and at most so many are looked at.
const (
	listedNames = 200
	listedDepth = 4
	lookedNames = 10_000
)

// listing returns names of the files in a directory, sorted, and how many more there are.
// Those that hold secrets, and folders that git and package managers keep, are neither
// named nor counted. Nothing is opened but folders.
func listing(dir string) (files []string, more int, err error) {
	if dir == "" {
		return nil, 0, nil
	}
	looked := 0
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, name)
		if relErr != nil || err != nil && rel == "." {
			return errors.Join(err, relErr)
		}
		if rel = filepath.ToSlash(rel); rel == "." {
			return nil
		}
		if looked++; looked > lookedNames {
			return fs.SkipAll
		}
		if d.IsDir() {
			if err != nil || slices.Contains(unlisted, d.Name()) || strings.Count(rel, "/") >= listedDepth || secretnames.Sensitive("/"+rel+"/x") {
				return fs.SkipDir
			}
			return nil
		}
		switch {
		case secretnames.Sensitive("/" + rel):
		case len(files) < listedNames:
			files = append(files, rel)
		default:
			more++
		}
		return nil
	})
	return files, more, err
}

// unlisted are folders of which no file is a task's: what version control, package
// managers and caches keep.
var unlisted = []string{".git", ".hg", ".jj", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".cache", ".tox", "target"}
