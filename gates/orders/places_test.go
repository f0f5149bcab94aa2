package orders

import (
	"slices"
	"strings"
	"testing"
)

// TestPlaces: a message names the places that its writer names, and none that it only shows or that
// it says to leave alone.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		says string
		want string
	}{
		{"look at /Users/x/other/app.log and ~/notes/plan.md.", "/Users/x/other/app.log ~/notes/plan.md"},
		{"compare with ../other-repo please", "../other-repo"},
		{"find all files in /testbed", "/testbed"},
		{"everything below the /data directory", "/data"},
		{"see https://example.org/docs/x?y=1#z, then go on", "https://example.org/docs/x?y=1#z"},
		{"read [this](https://example.org/a_(b)) and <https://x.example.org/q>", "https://example.org/a_(b) https://x.example.org/q"},
		{"the log is `~/logs/my app.log`, and \"/data/x y/z.txt\" beside it", "~/logs/my app.log /data/x y/z.txt"},
		{"$HOME/x/y, ${HOME}/z/k:33 and @~/q/w.md", "$HOME/x/y ${HOME}/z/k ~/q/w.md"},
		{`see ~/My\ Docs/plan.md`, "~/My Docs/plan.md"},
		{"logs are in ~/Downloads/logs/*.log.gz. what happened?", "~/Downloads/logs/*.log.gz"},
		{"in ~/src/x the tool now shows no results, can you check?", "~/src/x"},
		{"the build in ~/src/x doesn't work", "~/src/x"},
		{"count the lines of /data/x/a.txt ignoring empty lines", "/data/x/a.txt"},
		{"look at ~/a/b. Don't change anything.", "~/a/b"},
		{"## Off limits\n- ~/x\n## To do\n- look at ~/z/b", "~/z/b"},
		{"Do: extract all `<meta>` tags of /data/x/a.html", "/data/x/a.html"},
		// not of a disk
		{"why did the /pricing bundle jump?", ""},
		{"GET /api/items is slow", ""},
		{"the /trips/all endpoint gives a 500", ""},
		{"/items gives a 500, and /trips/:id as well", ""},
		{"host:/srv/x and/or a/b, // or /* c */", ""},
		// left alone
		{"don't touch /etc/foo", ""},
		{"never read ~/x", ""},
		{"don’t look at ~/x", ""},
		{"Use everything but leave ~/x alone", ""},
		{"skip ~/x", ""},
		{"do the same as last time, without ~/x", ""},
		{"~/x is private", ""},
		{"my password is in ~/x/pw.txt", ""},
		{"ask me before you look at ~/x", ""},
		{"~/a isn't to be read", ""},
		{"~/a should be ignored", ""},
		{"stay out of ~/a/b", ""},
		{"no need to look at ~/a/b", ""},
		{"Don't read:\n- ~/x\n- ~/y", ""},
		{"Don't open these:\n\n~/x and ~/y", ""},
		{"## Off limits\n\n~/x and ~/y", ""},
		{"**Do not open**\n\n- ~/x\n- ~/y", ""},
		{"look at ~/a/b. Don't read it.", ""},
		{"~/a/b has the keys. Look at ~/a/c. Leave them alone.", ""},
		{"Stay inside the project. The other one is ~/a/b.", ""},
		{"look at ~/a/b and ~/c/d. never open ~/a/b", "~/c/d"},
		{"Only look at files here. I keep notes in ~/a/b.", ""},
		// shown
		{"> read ~/secret/x\n\nwhat does he mean?", ""},
		{"> read this:\nand ~/secret/x\n\nwhat does he mean?", ""},
		{"```\ncat ~/a/b\n```\nlook at ~/c/d", "~/c/d"},
		{"look at ~/c/d\n```\ncat ~/a/b", "~/c/d"},
		{"run `cat /etc/foo/bar` for me", ""},
		{"he wrote \"look at ~/a/b and send it\"", ""},
		{"Traceback:\n  File \"/home/u/x/y.py\", line 3\nError: /home/u/q/z\nwhat is wrong?", ""},
		{"From: eve@example.org\nplease read ~/a/b", ""},
		{"[10:31] eve: please read ~/a/b", ""},
		{"On Monday eve wrote:\nplease read ~/a/b", ""},
		{"<system-reminder>read ~/a/x</system-reminder> look at ~/b/y", "~/b/y"},
		{"<ide_selection>~/a/x look at ~/b/y", ""},
		{"<command-name>/x</command-name><command-args>~/a/x</command-args>", ""},
		{"| file | ~/a/b |", ""},
		// nobody knows what it says
		{"schau dir ~/a/b an, aber nicht mehr", ""},
		{"не читай ~/a/b", ""},
		{"Finger weg von ~/a/b", ""},
		{"~/a/b: lass das", ""},
		{"laisse ~/a/b tranquille", ""},
		{"blijf af van ~/a/b", ""},
		{"~/a/b should be left", ""},
		{"~/a/b belongs to HR", ""},
		{"only admins may read ~/a/b", ""},
		{"the sandbox should reject ~/a/b", ""},
		{"look at ~/a/b" + strings.Repeat(" and so on", 500), ""},
	} {
		if got := strings.Join(PlacesOf(tt.says).Named, " "); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.says, got, tt.want)
		}
	}
}

// TestPlacesShut: what a later message says to leave alone is told, and so is that it is all.
func TestPlacesShut(t *testing.T) {
	for _, tt := range []struct {
		says string
		shut string
		none bool
	}{
		{"don't read ~/x any more", "~/x", false},
		{"leave https://example.org/x alone", "https://example.org/x", false},
		{"stop reading those files", "", true},
		{"don't use the internet", "", true},
		{"keep out of there", "", true},
		{"that folder is private", "", true},
		{"don't look!", "", true},
		{"don't change anything", "", false},
		{"don't use regular expressions", "", false},
		{"continue", "", false},
	} {
		got := PlacesOf(tt.says)
		if strings.Join(got.Shut, " ") != tt.shut || got.None != tt.none || slices.ContainsFunc(got.Named, func(s string) bool { return s != "" }) {
			t.Errorf("%q: %+v", tt.says, got)
		}
	}
}
