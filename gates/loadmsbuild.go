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

// buildsPlainly says whether what a file of MSBuild runs would be approved by itself: commands that
// stand in it, and no task of which the code is in the file or comes from a library.
func (c *Context) buildsPlainly(file, text string) bool {
	return c.staysInside(file, text) && c.tasksPlain(text, path.Dir(file))
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

var (
	// tags are the elements, comments and texts without markup of XML, of which the first group is the
	// slash of an end, the second the name, the third the attributes, the fourth the slash of an empty
	// one (XML 1.0, 2.5, 2.7, 3.1).
	tags = regexp.MustCompile(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(/?)([\pL_][\w.:-]*)((?:\s(?:[^<>"']|"[^<"]*"|'[^<']*')*?)?)(/?)>`)
	// execs is the command of the task Exec, and toolsOf are what tasks may be told to start or to load
	// in the place of the SDK's. Names of tasks and of what they take are read in any case.
	execs   = regexp.MustCompile(`(?is)\sCommand\s*=\s*(?:"([^"]*)"|'([^']*)')`)
	toolsOf = regexp.MustCompile(`(?is)\s(?:Tool\w*|Analyzers|Generators|AdditionalLibPaths)\s*=`)
	// codes are escapes that are not read here: of XML by number, and MSBuild's own.
	codes = regexp.MustCompile(`&#|%[0-9A-Fa-f]{2}`)
)

// entities are the escapes of XML in the value of an attribute.
var entities = strings.NewReplacer("&quot;", `"`, "&apos;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&")

// tasksPlain says whether all tasks in the targets of a file are listed, and the commands among them
// would be approved; of what is no XML nobody knows, but a part of a file without a target.
func (c *Context) tasksPlain(text, dir string) bool {
	if strings.Contains(text, "\x00") || foldContains(text, "<target") && strings.Contains(tags.ReplaceAllString(text, ""), "<") {
		return false
	}
	target := 0 // how deep in one
	for _, t := range tags.FindAllStringSubmatch(text, -1) {
		end, name, attributes, empty := t[1] != "", t[2], t[3], t[4] != ""
		if name == "" {
			continue
		}
		if end {
			target = max(0, target-1)
			continue
		}
		if strings.EqualFold(name, "UsingTask") || target == 1 && (!listedFold(msbuildTasks, name) || toolsOf.MatchString(attributes)) {
			return false
		}
		if strings.EqualFold(name, "Exec") && !c.execPlain(attributes, dir) {
			return false
		}
		if (target > 0 || strings.EqualFold(name, "Target")) && !empty {
			target++
		}
	}
	return !foldContains(text, "<usingtask")
}

// execPlain says whether the command of the task Exec would be approved.
func (c *Context) execPlain(attributes, dir string) bool {
	m := execs.FindStringSubmatch(attributes)
	return m == nil || !codes.MatchString(m[1]+m[2]) && !toolsOf.MatchString(attributes) && !c.plainlyAsks(entities.Replace(m[1]+m[2]), dir)
}

func foldContains(text, lower string) bool { return strings.Contains(strings.ToLower(text), lower) }

func listedFold(list, name string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool { return strings.EqualFold(w, name) })
}
