package gates

import (
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
		prints, repository, user := shell.GitShows(c.runs[k].Words)
		dir := c.dirOf(&c.runs[k])
		if prints == nil || !exact(dir) || len(c.runs[k].Effects) == 0 {
			continue
		}
		var files []string
		if repository {
			config, _, _ := c.configOf(dir, "git")
			files = append(files, config)
		}
		if user {
			files = append(files, c.Home+"/.gitconfig", c.Home+"/.config/git/config")
		}
		files = slices.DeleteFunc(files, func(file string) bool {
			text, ok := c.text(file)
			return file == "" || !ok || !shell.GitSecret(text, prints)
		})
		if len(files) > 0 {
			c.runs = slices.Clone(c.runs)
			c.showsSecrets(&c.runs[k], files)
		}
	}
}
