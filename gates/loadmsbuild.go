package gates

import (
	"encoding/xml"
	"errors"
	"io"
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

// tasksKnown says whether all tasks in the targets of a file are listed; of what is no XML nobody
// knows, but a part of a file without a target.
func tasksKnown(text string) bool {
	if !strings.Contains(text, "<Target") {
		return true
	}
	d := xml.NewDecoder(strings.NewReader(text))
	target := 0 // how deep in one
	for {
		t, err := d.Token()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if target == 1 && !slices.Contains(strings.Fields(msbuildTasks), t.Name.Local) {
				return false
			}
			if target > 0 || t.Name.Local == "Target" {
				target++
			}
		case xml.EndElement:
			target = max(0, target-1)
		}
	}
}
