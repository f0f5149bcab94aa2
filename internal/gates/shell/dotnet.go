package shell

import (
	"slices"
	"strings"
)

// dotnet runs what stands in the place of a subcommand and is none: a program that was
// built, or a project between the verb and its noun (dotnet(1); dotnet list PROJECT
// package). ok is false for all else.
func (m *machine) dotnet(sub string, args []string, in data, want bool) (out data, ok bool) {
	switch {
	case strings.HasSuffix(sub, ".dll") && sub[0] != '-':
		m.script(sub)
		m.givenArgs(args)
		return unknown, true
	case sub == "sln" && len(args) > 0 && (strings.HasSuffix(args[0], ".sln") || strings.HasSuffix(args[0], ".slnx")):
		m.script(args[0])
		return m.run(append([]string{"dotnet", sub}, args[1:]...), in, want), true
	case len(args) < 2 || !isAmong([]string{"add", "list", "remove"}, sub) || args[0] == "" || args[0][0] == '-':
		return data{}, false
	case isAmong([]string{"package", "reference"}, args[1]) && !isAmong([]string{"package", "reference"}, args[0]):
		m.script(args[0])
		return m.run(append([]string{"dotnet", sub}, args[1:]...), in, want), true
	}
	return data{}, false
}

// deployWords begin the names of MSBuild's properties, in any case, by which a build sends
// what it made (learn.microsoft.com/aspnet/core/host-and-deploy/visual-studio-publish-profiles;
// github.com/dotnet/sdk issue 26161, of images and their registry, too).
var deployWords = [...]string{"containerregistr", "deploy", "msdeploy", "publishprofile", "publishprovider", "publishprotocol", "publishurl", "webpublish"}

// deploys says whether one of the settings of a word does, of several with semicolons or
// commas between them.
func deploys(value string) bool {
	for s := range strings.FieldsFuncSeq(value, func(c rune) bool { return c == ';' || c == ',' }) {
		if slices.ContainsFunc(deployWords[:], func(w string) bool { return len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) }) {
			return true
		}
	}
	return false
}
