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
		{line: "doctl compute droplet delete web-1", begins: "By its name deletes or resets something: doctl compute droplet delete web-1, a command that gbt does not know"},
		{line: "cabal upload dist/a.tar.gz --publish", not: "a.tar.gz upload"},

		{line: "frob -u neo4j://db.example.com 'match (n) detach delete n'", begins: "Runs a statement that can change or delete data (match … delete) at db.example.com: frob"},
		{line: "frob all -a 'rm -rf /var/cache/x'", begins: "By its name deletes or resets something: frob all … rm"},
		{line: "hdfs dfs -rm -r /data/raw", begins: "By its name deletes or resets something"},
		{line: "zfs destroy tank/data", begins: "By its name deletes or resets something: zfs destroy tank/data"},
		{line: "frob remote add x", begins: "By its name adds, changes or replaces something: frob remote add"},
		{line: "frob pkg delete left-pad", begins: "By its name deletes or resets something: frob pkg delete left-pad"},
		{line: "frob upload acme/model hunter2", has: "frob upload acme/model,", not: "hunter2"},
		{line: "frob upload hunter2", has: "frob upload,", not: "hunter2"},
		{line: "frob token add hunter2", not: "hunter2"},

		{line: "frob config validate", begins: "Runs frob config, a program"},
		{line: "frob beta trace x", begins: "Runs frob beta, a program"},
		{line: "mvn versions:use-latest-releases", not: "sends or releases"},
		{line: "frob --deploy-mode cluster", begins: "Runs frob, a program"},
		{line: "adb reboot bootloader", not: "erases the memory"},
		{line: "frob replace old.example.com new.example.com", not: "at old.example.com"},
		{line: "pg_dump -h db.example.com shop > a.sql", has: "Dumps the tables and the data of the database shop at db.example.com", not: "rints"},
		{line: "kubectl cp web-0:/var/log/a.log a.log", begins: "Copies files into or out of a container in the cluster: web-0:/var/log/a.log a.log"},
		{line: "gh workflow run deploy.yml -f env=prod", not: "env=prod"},
		{line: "mysql -h db.example.com shop < a.sql", has: "gives mysql on its input what it is to run", not: "input with mysql"},
		{line: "lvremove -f vg/lv", begins: "By its name deletes or resets something: lvremove", not: "file systems"},
		{line: "frobflash -w fw.bin /dev/ttyUSB0", begins: "By its name writes to the device /dev/ttyUSB0, or erases it: frobflash"},
		{line: "kubectl delete pvc --all -n staging", begins: "Deletes all pvc in the cluster (namespace staging)"},
		{line: "curl -X DELETE http://es.example.com:9200/index", begins: "Deletes es.example.com:9200/index with curl (DELETE)"},
		{line: "mysqladmin -h db.example.com shutdown", begins: "Stops the server of the database at db.example.com", not: "statement"},
		{line: "dotnet ef database update --connection 'Server=db.example.com'", not: "set to use"},
		{line: "frob app exec 'bin/rails db:drop'", begins: "By its name deletes or resets something: frob app exec db:drop", not: "code in this call"},
		{line: "mix archive.install hex x", begins: "By its name installs, downloads or updates something: mix archive.install"},

		{line: "esptool.py -p /dev/ttyUSB0 read_flash 0 4 a.bin", begins: "By its words works on the device /dev/ttyUSB0", not: "erases"},
		{line: "vault operator seal", not: "passwords"},
		{line: "frob get-secret-value --id x", begins: "By its name shows, stores or uses passwords or keys: frob get-secret-value"},
		{line: "jbang deploy.java", not: "sends or releases"},
		{line: "make deploy ENV=prod", begins: "By its name sends or releases something of yours in production: make deploy, with ENV set by this call"},
		{line: "npx frob-cli wipe", begins: "By its name deletes or resets something: runs the program frob-cli wipe, downloaded from npm's registry if it is not there"},
		{line: "rclone sync . remote:app", has: "ends data to remote:app with rclone"},
		{line: "tcpdump -i eth0", begins: "Records what goes over this machine's network", not: "waits for connections"},
		{line: "docker compose exec db psql -c 'drop table x'", has: "with a statement that can change or delete data (drop table x)"},
		{line: "frob /Action:Publish /Target:db.example.com", begins: "By its name sends or releases something of yours", not: "outside the workspace"},
		{line: "gcloud compute ssh web-1 --command 'sudo reboot'", begins: "By its name stops, restarts or ends something that runs: gcloud compute ssh", not: "code in this call"},
		{line: "cabal run migrate -- --prod", not: "of --prod"},
		{line: "npm version major", begins: "Raises this package's version (major)"},

		{line: "glab release delete v1", has: "By its name deletes or resets something: glab release delete v1"},
		{line: "s3cmd del s3://shop/x", has: "By its name deletes or resets something: s3cmd del s3://shop/x"},
		{line: "mail -s x ana@example.com < README.md", has: "to ana@example.com with mail"},
		{line: "helm rollback api 3", begins: "Changes what runs in a cluster, or how, with helm rollback api 3"},
		{line: "wipefs -a /dev/sdb", begins: "Changes the device /dev/sdb with wipefs"},
		{line: "frob luksFormat /dev/sdb1", begins: "By its name writes to the device /dev/sdb1, or erases it"},
		{line: "reboot", begins: "Restarts this machine"},
		{line: "chown -R root:root /mnt/x", has: "hanges who owns files, or may use them, with chown", not: "administrator"},
		{line: "kubectl patch deploy api --frob", not: "sends or releases"},
		{line: "python -m esptool --port /dev/ttyUSB0 erase_region 0x9000", has: "python -m esptool"},
		{line: "npx @frob/cli wipe", has: "the program @frob/cli wipe"},
		{line: "helm repo add shop https://charts.example.com", has: "charts.example.com", not: "cannot tell"},
		{line: "frob --execute 'DROP SCHEMA x CASCADE'", has: "(DROP SCHEMA x): frob, a program"},

		{line: "R --vanilla < scripts/run.R", begins: "Runs R with its input from scripts/run.R", not: "type"},
		{line: "cpanm --uninstall Foo", begins: "Removes the Perl module Foo"},
		{line: "terraform init -migrate-state && terraform state push a.tfstate", has: "sends or releases something of yours: terraform state push a.tfstate"},
		{line: "kubectl exec deploy/api -n prod -- psql -c 'delete from t'", begins: "Runs psql in deploy/api in the cluster (namespace prod), with a statement that can change or delete data (delete from t)"},
		{line: "kubectl get pods -o name | xargs kubectl delete", begins: "Deletes what its files or its input name in the cluster"},
		{line: "python tools/provision.py --port /dev/ttyUSB0", has: "ets python use /dev/ttyUSB0", not: "eads /dev"},
		{line: "cat /dev/ttyUSB0", begins: "Reads /dev/ttyUSB0"},
		{line: "ffmpeg -f avfoundation -i x out.wav", not: "Runs avfoundation"},
		{line: "ssh web1.example.com restorer --archive --drop", not: "ssh with --archive"},
		{line: "ssh -o ProxyCommand=x web1.example.com ls", has: "ssh with -o"},
		{line: "vagrant ssh -c 'sudo reboot'", begins: "By its name stops, restarts or ends something that runs: vagrant", not: "code in this call"},
		{line: "pwsh -c 'Get-ChildItem | Remove-Item -Recurse'", begins: "By its name deletes or resets something: pwsh"},
		{line: "git reflog expire --expire=now --all", begins: "Throws away git's record of what was lost", not: "stands for there"},

		{line: "frob sync --password my-prod-pw.x", not: "my-prod-pw"},
		{line: "frob sync --api-key=my-prod-pw.x", not: "my-prod-pw"},
		{line: "frob sync -p my-prod-pw.x", not: "my-prod-pw"},
		{line: "frob upload https://ana:hunter2@files.example.com/x", begins: "By its name sends or releases something of yours to files.example.com", not: "hunter2"},
		{line: "curl -X DELETE https://ana:hunter2@files.example.com/x", not: "hunter2"},

		{line: "frob run core.local", not: "connects"},
		{line: "swift a.swift", not: "a command"},
		{line: "frob run -p prod", begins: "By its words works in production: frob run"},
		{line: "mix local.hex --force", has: "mix local.hex, a command that gbt does not know"},
		{line: `sbt "Docker / publish"`, begins: "By its name sends or releases something of yours: publish with sbt"},
		{line: "fallocate -l 900GiB blob", begins: "Fills the disk with blob", not: "settings"},
		{line: "while :; do ./worker & done", begins: "Starts processes without an end", not: "settings"},
		{line: "gh api -X DELETE repos/o/r", begins: "Deletes github.com/o/r as a whole"},
		{line: "curl 'http://ch.example.com:8123/?query=x' -d 'DROP TABLE t'", begins: "Sends a statement that can change or delete data (DROP TABLE t) to ch.example.com:8123"},
		{line: "docker container stop web", begins: "By its name stops, restarts or ends something that runs: docker container stop web"},
		{line: "jj --config=ui.pager=sh log", not: "hold until"},
		{line: "dd if=/dev/zero of=/dev/sdb", not: "run it again"},
		{line: "arduino-cli compile -b a:b:c --upload -p /dev/ttyUSB1 sketch", not: "belong to the workspace"},
		{line: "frob revert //x", begins: "By its name deletes or resets something"},
		{line: "frob -e 'DROP KEYSPACE k'", begins: "Runs a statement that can change or delete data (DROP KEYSPACE k)"},
		{line: "aws s3 sync . s3://b --dryrun", not: "cannot be undone"},
		{line: "frob build --release", begins: "Runs frob build, a program that gbt does not know"},
		{line: "frob sort -o out.bam in.bam", begins: "Runs frob sort with out.bam and in.bam, a program that gbt does not know"},
		{line: "frob render --no-delete", begins: "Runs frob render, a program"},
		{line: "frob render -t deploy", begins: "Runs frob render, a program"},
		{line: "frob render release.pdf", begins: "Runs frob render with release.pdf, a program"},
		{line: "frob releases list", begins: "Runs frob releases, a program"},
		{line: "frob com.example.app", begins: "Runs frob", not: "connects"},
		{line: "frob --url http://localhost:3000", begins: "Runs frob, a program"},
		{line: "frob < /dev/null", begins: "Runs frob, a program"},
		{line: "frob -m 'delete the old push'", begins: "Runs frob, a program"},
		{line: "frob login --password hunter2x", not: "hunter2x"},
		{line: "frob upload s3cr3tT0kenAbC9dEf7Gh1", not: "s3cr3tT0kenAbC9dEf7Gh1"},
		{line: "idf.py size --format csv", begins: "Runs idf.py size with --format, an option that gbt does not know", not: "idf.py csv"},
		{line: `R -d "valgrind --leak-check=full" -f a.R`, begins: "Runs R with -d", not: "leak-check"},
		{line: "stack haddock shop", has: "cannot tell what shop does or stands for there", not: "does not know what that does"},
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
		{`python -c "import boto3; boto3.client('s3').delete_object(Bucket='b')"`, "By its name deletes or resets something: python code in this call that uses delete_object and boto3.client", ""},
		{`python -c "import boto3; x = [1]; x.remove(1); boto3.client('s3')"`, "Runs python code in this call that uses boto3.client", "deletes"},
		{`erl -noshell -eval 'os:cmd("rm -rf x"), halt().'`, "By its name deletes or resets something: erl code in this call that uses os:cmd (rm)", ""},
		{`perl -MDBI -e 'DBI->connect("dbi:Pg:x")->do("delete from t")'`, "Runs a statement that can change or delete data (delete from t): perl code in this call", ""},
		{`powershell -c 'Stop-Service x'`, "By its name stops, restarts or ends something that runs: powershell", ""},
		{`node -e "fetch('https://api.example.com/x',{method:'POST',body:'a'})"`, "By its name opens or uses a connection at api.example.com: node code", "ownloads from"},
		{`php -r '$p=new PDO("mysql:x"); $p->exec("drop table x");'`, "Runs a statement that can change or delete data (drop table x)", "drop table, a program"},
		{"Rscript - <<'R'\nlibrary(DBI)\ndbRemoveTable(con, 'x')\nR", "By its name deletes or resets something: Rscript code in this call that uses dbRemoveTable", "put together"},
		{"python - <<'P'\nimport boto3\nboto3.resource('s3').Bucket('b').objects.all().delete()\nP", "By its name deletes or resets something: python code in this call that uses delete and boto3.resource", ""},
		{`wolframscript -code 'DeleteFile["x"]'`, "By its name deletes or resets something: wolframscript code in this call that uses DeleteFile", ""},
		{`gawk 'BEGIN{system("rm a" x)}'`, "By its name starts a program or other code: gawk code in this call that uses", "with a,"},
		{`crystal eval 'File.delete("a")'`, "By its name deletes or resets something: crystal eval code in this call that uses File.delete", ""},
		{`clisp -x '(delete-file "a")'`, "By its name deletes or resets something: clisp code in this call that uses delete-file", ""},
		{`perl -we 'DBI->connect("dbi:mysql:prod")->do("TRUNCATE logs")'`, "Runs a statement that can change or delete data (TRUNCATE logs) in production: perl code", "dbi:mysql"},
		{`pwsh -c 'Remove-Item -Recurse x'`, "By its name deletes or resets something: pwsh … Remove-Item, a program that gbt does not know", ""},
		{`octave --eval 'pkg install x'`, "By its name installs, downloads or updates something: octave code in this call that uses pkg install", ""},
		{`elixir -e 'Frob.grind(1)'`, "Runs elixir code in this call that uses Frob.grind, which gbt cannot follow", ""},
		{`python -c 'print("/mnt/x")'`, "Names /mnt/x in its code or in a value, outside the workspace, and may read or change it", ""},
		{"python - <<'E'\nimport x\nx.read_sql('select 1', 'postgresql://db.example.com/app').to_csv('/mnt/out.csv')\nE", "Names db.example.com/app in its code, and may connect there", "ownloads from"},
		{`sbcl --eval '(delete-file "x")'`, "By its name deletes or resets something: sbcl code in this call that uses delete-file", ""},
		{`php -r 'file_put_contents("/mnt/x", "a");'`, "Runs php code in this call that uses file_put_contents with /mnt/x (outside the workspace)", "eads /mnt/x"},
		{`frob -b --python-expr "import bpy; bpy.quit()"`, "Runs frob code in this call that uses bpy.quit, a program that gbt does not know", ""},
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
