package gates

import (
	"path"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about settings of git that a call prints, where the host sees that they hold
// credentials: sessions look at remotes all the time, and mostly nothing in them is secret.

// credentialsShown adds reads of secrets to the effects of runs of git that print such settings.
func (c *Context) credentialsShown() {
	if c.text == nil || c.exists == nil {
		return
	}
	for k := range c.runs {
		shows := shell.GitShows(c.runs[k].Words)
		dir := c.dirOf(&c.runs[k])
		if shows.Prints == nil || !exact(dir) || len(c.runs[k].Effects) == 0 {
			continue
		}
		var files []string
		if shows.File != "" {
			files = append(files, c.places.Resolve(dir, shows.File))
		}
		if shows.Repository {
			config, _, _ := c.configOf(dir, "git")
			files = append(files, config)
		}
		if shows.User {
			files = append(files, c.Home+"/.gitconfig", c.Home+"/.config/git/config")
		}
		if shows.Includes {
			files = c.withIncluded(files)
		}
		files = slices.DeleteFunc(files, func(file string) bool {
			text, ok := c.text(file)
			return file == "" || !ok || !shell.GitSecret(text, shows.Prints)
		})
		if len(files) > 0 {
			c.runs = slices.Clone(c.runs)
			c.showsSecrets(&c.runs[k], files)
		}
	}
}

// withIncluded adds the files that configurations of git include: each once, for includes may go
// in a circle.
func (c *Context) withIncluded(files []string) []string {
	for i := 0; i < len(files) && i < maxConfigured; i++ {
		text, _ := c.text(files[i])
		for _, name := range shell.GitIncludes(text) {
			if file := c.places.Resolve(path.Dir(files[i]), name); !isAmong(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

// maxConfigured bounds the files of a configuration that are read.
const maxConfigured = 16
