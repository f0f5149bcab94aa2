package gates

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about files of MSBuild: every build of .NET runs what they say, those that it finds
// by name included (learn.microsoft.com, Directory.Build.props and the tasks Exec and UsingTask).

// msbuild says whether a file is one by its ending.
func msbuild(file string) bool {
	switch path.Ext(file) {
	case ".targets", ".props", ".csproj", ".fsproj", ".vbproj", ".proj":
		return true
	}
	return false
}

// execs is a command that the task Exec runs.
var execs = regexp.MustCompile(`<Exec\s[^>]*Command\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// entities are the escapes of XML in the value of an attribute.
var entities = strings.NewReplacer("&quot;", `"`, "&apos;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&")

// buildsPlainly says whether what a file of MSBuild runs would be approved by itself: commands that
// stand in it, and no task of which the code is in the file or comes from a library.
func (c *Context) buildsPlainly(file, text string) bool {
	if strings.Contains(text, "<UsingTask") {
		return false
	}
	return !slices.ContainsFunc(execs.FindAllStringSubmatch(text, maxToldOf*8), func(m []string) bool {
		return c.plainlyAsks(entities.Replace(m[1]+m[2]), path.Dir(file))
	})
}

// builds adds the unvetted files of MSBuild's below a directory and in those above it.
func (f *follower) builds(dir string) {
	for u := range f.bad {
		if msbuild(u) && (mark.Under(u, dir) || mark.Under(dir, path.Dir(u))) {
			f.file(u)
		}
	}
}
