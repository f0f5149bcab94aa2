package wording

import (
	"strings"
	"testing"
)

// TestByName: the question about a run that nobody knows begins with what its words plainly say,
// marked as that, on what, and only then says that gbt does not know it.
func TestByName(t *testing.T) {
	for _, tt := range []struct{ line, begins, has, not string }{
		{line: "frob deploy", begins: "By its name sends or releases something of yours: frob deploy, a program that gbt does not know"},
		{line: "frobctl db drop --env production", begins: "By its name deletes or resets something in production: frobctl db drop"},
		{line: "frob group rm rg-prod --yes", begins: "By its name deletes or resets something in production (rg-prod): frob group rm"},
		{line: "frob burn image.iso /dev/sdb", begins: "By its name writes to the device /dev/sdb, or erases it: frob burn"},
		{line: "frob-flash -p /dev/ttyUSB0 write fw.bin", begins: "By its name writes to the device /dev/ttyUSB0"},
		{line: "frob --eraseall", begins: "By its name writes or erases the memory of a device: frob --eraseall"},
		{line: "frob -url=jdbc:postgresql://db.example.com/app clean", begins: "By its name deletes or resets something at db.example.com: frob … clean"},
		{line: "frob push 192.168.1.10", begins: "By its name sends or releases something of yours to 192.168.1.10: frob push"},
		{line: "frob --query 'drop table users'", begins: "Runs a statement that can change or delete data (drop table users): frob"},
		{line: "frob render -o /opt/media/out.mp4", begins: "By its words works with /opt/media/out.mp4, outside the workspace: frob"},
		{line: "frob migrate --dry-run", has: "with --dry-run, by which it may only try"},
		{line: "frob schema apply --auto-approve", begins: "By its name changes a database, machines or services: frob schema apply", has: "with --auto-approve, by which it asks nobody"},
		{line: "frob bin/console doctrine:schema:drop", begins: "By its name deletes or resets something: frob"},
		{line: "gradle publishToMavenCentral", begins: "By its name sends or releases something of yours: gradle publishToMavenCentral; what is out"},
		{line: "doctl compute droplet delete web-1", begins: "By its name deletes or resets something: doctl compute droplet delete, a command that gbt does not know"},
		{line: "cabal upload dist/a.tar.gz --publish", not: "a.tar.gz upload"},

		{line: "frob build --release", begins: "Runs frob build, a program that gbt does not know"},
		{line: "frob render --no-delete", begins: "Runs frob render, a program"},
		{line: "frob render -t deploy", begins: "Runs frob render, a program"},
		{line: "frob render release.pdf", begins: "Runs frob render, a program"},
		{line: "frob releases list", begins: "Runs frob releases, a program"},
		{line: "frob com.example.app", begins: "Runs frob", not: "connects"},
		{line: "frob --url http://localhost:3000", begins: "Runs frob, a program"},
		{line: "frob < /dev/null", begins: "Runs frob, a program"},
		{line: "frob -m 'delete the old push'", begins: "Runs frob, a program"},
		{line: "frob login --password hunter2x", not: "hunter2x"},
		{line: "frob upload s3cr3tT0kenAbC9dEf7Gh1", not: "s3cr3tT0kenAbC9dEf7Gh1"},
		{line: "idf.py size --format csv", begins: "Runs idf.py size with --format, an option that gbt does not know", not: "idf.py csv"},
		{line: `R -d "valgrind --leak-check=full" -f a.R`, begins: "Runs R with -d", not: "leak-check"},
		{line: "stack haddock shop", has: "cannot tell what shop stands for", not: "does not know what that does"},
		{line: "groovy x.groovy --in a", has: "an option that gbt does not know, or that x.groovy takes"},
		{line: "for f in a b; do sed s/x/$f/ t > scripts/$f.sh; done; npm test", begins: "Writes scripts/a.sh and scripts/b.sh, of which gbt cannot tell what they hold, and then runs something that may run them"},
		{line: "redis-cli -h db.example.com --rdb a.rdb", begins: "Copies all that the database at db.example.com holds into a.rdb", not: "type"},
	} {
		c := sample{line: tt.line}
		texts := Of(c.decide())
		if !strings.HasPrefix(texts.Person, tt.begins) || !strings.Contains(texts.Person, tt.has) || tt.not != "" && strings.Contains(texts.Person+texts.Model, tt.not) {
			t.Errorf("%s\n%s\n%s", tt.line, texts.Person, texts.Model)
		}
	}
}

// TestInCode: code in a call is told by the calls that cannot be judged, and by what these say.
func TestInCode(t *testing.T) {
	for _, tt := range []struct{ line, begins, not string }{
		{`R -e 'remove.packages("dplyr")'`, "By its name deletes or resets something: R code in this call that uses remove.packages, which gbt cannot follow", ""},
		{`julia -e 'using Pkg; Pkg.add("CSV")'`, "By its name installs, downloads or updates something: julia code in this call that uses Pkg.add", ""},
		{`ruby -e 'FileUtils.rm_rf("/opt/x")'`, "By its name deletes or resets something with /opt/x (outside the workspace): ruby code in this call that uses FileUtils.rm_rf", "reads /opt/x"},
		{`perl -e 'unlink glob("*.o")'`, "By its name deletes or resets something: perl code in this call that uses unlink and glob", ""},
		{`python -c 'import requests; requests.post("https://example.com/x")'`, "By its name sends something to example.com: python code in this call that uses requests.post", "downloads from"},
		{`pwsh -c 'Remove-Item -Recurse x'`, "By its name deletes or resets something: pwsh code in this call that uses Remove-Item, a program that gbt does not know", ""},
		{`octave --eval 'pkg install x'`, "By its name installs, downloads or updates something: octave code in this call that uses pkg install", ""},
		{`elixir -e 'Frob.grind(1)'`, "Runs elixir code in this call that uses Frob.grind, which gbt cannot follow", ""},
		{`python -c 'print("/mnt/x")'`, "Names /mnt/x in its code or in a value, outside the workspace, and may read it", ""},
		{`python -c 'print(open("/mnt/x").read())'`, "Reads /mnt/x, outside the workspace", ""},
		{`python -c 'import shutil; shutil.rmtree("/opt/x")'`, "Deletes /opt/x with all that is in it", "eads /opt/x"},
	} {
		c := sample{line: tt.line}
		texts := Of(c.decide())
		if !strings.HasPrefix(texts.Person, tt.begins) || tt.not != "" && strings.Contains(texts.Person, tt.not) {
			t.Errorf("%s\n%s\n%s", tt.line, texts.Person, texts.Model)
		}
	}
}
