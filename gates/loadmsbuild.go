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
	if strings.Contains(text, "<UsingTask") || !tasksKnown(text) || !c.staysInside(file, text) {
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

// msbuildTasks are what a target may hold that starts, fetches and loads nothing that is not judged
// here by itself: tasks of MSBuild and of its SDK, and lists (learn.microsoft.com, MSBuild task reference).
const msbuildTasks = "Exec Message Warning Error Copy MakeDir RemoveDir Delete Move Touch ReadLinesFromFile WriteLinesToFile WriteCodeFragment ItemGroup PropertyGroup CallTarget MSBuild OnError AssignTargetPath ConvertToAbsolutePath CreateItem CreateProperty FindInList FindUnderPath FormatVersion GenerateResource Hash RemoveDuplicates " +
	"GetAssemblyIdentity GetFileHash VerifyFileHash XmlPeek XmlPoke Csc Fsc Vbc Unzip ZipDirectory"

// tags are the elements, comments and texts without markup of XML, of which the first group is the
// slash of an end, the second the name, the third the slash of an empty one (XML 1.0, 2.5, 2.7, 3.1).
var tags = regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(/?)([\pL_][\w.:-]*)(?:\s(?:[^<>"']|"[^<"]*"|'[^<']*')*?)?(/?)>`)

// tasksKnown says whether all tasks in the targets of a file are listed; of what is no XML nobody
// knows, but a part of a file without a target.
func tasksKnown(text string) bool {
	if !strings.Contains(text, "<Target") {
		return true
	}
	if strings.Contains(tags.ReplaceAllString(text, ""), "<") {
		return false
	}
	target := 0 // how deep in one
	for _, t := range tags.FindAllStringSubmatch(text, -1) {
		switch end, name, empty := t[1] != "", t[2], t[3] != ""; {
		case name == "":
		case end:
			target = max(0, target-1)
		default:
			if target == 1 && !slices.Contains(strings.Fields(msbuildTasks), name) {
				return false
			}
			if (target > 0 || name == "Target") && !empty {
				target++
			}
		}
	}
	return true
}
