package wording

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Notes and ways on that several programs share.
const (
	holds     = "; it holds until somebody removes it"
	rebuilt   = "; it runs code of whoever wrote it, when it is installed, built or used"
	atOtherEd = "; whatever is at the other end can send and receive"
	dataGone  = "; the data is lost, and that cannot be undone"
	outThere  = "; it is there for others from then on"

	ownDatabase = "the database that this project is set to use"

	usePresent = "Use what is installed, or say what this package is for and ask for it."
	leavePubl  = "Leave publishing to the user: say what is ready, or ask for it."
	sayData    = "Say which database it is and that its data is lost, and ask for it."
	sayOff     = "Never needed for a task in the workspace: leave it to the user."
	costs      = "; it costs money until it is stopped"
	shown      = "; what others have copied by then cannot be called back"
	sayRefs    = "Say which names go and what they stand for, and ask for this."
	sayCost    = "Say what is started, how many and for how long, and ask for it."
	sayShown   = "Say who is to get at it and why, and ask for this."
	sayCluster = "Say what changes for those who use it, and ask for this."
)

// programFacts are commands of programs that install, publish, start or change what lies
// outside the workspace, by their manuals.
var programFacts = slices.Concat(installs(), publishes(), databases(), containers(), []fact{
	{loose: true, words: "git update-ref -d", what: "deletes branches, tags or other names of commits in git (#)", note: "; commits that nothing else names are lost in time", weight: 8, instead: sayRefs},
	{loose: true, words: "git update-ref --stdin", what: "changes or deletes branches, tags and other names of commits in git, as its input says", note: "; commits that nothing else names are lost in time", weight: 8, instead: sayRefs},
	{loose: true, words: "aws ec2 run-instances", what: "starts machines in your account at Amazon", note: costs, weight: 6, instead: sayCost},
	{loose: true, words: "aws rds create-db-instance", what: "starts a database in your account at Amazon", note: costs, weight: 6, instead: sayCost},
	{loose: true, words: "aws rds modify-db-snapshot-attribute", what: "changes who may copy a snapshot of a database in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws rds modify-db-cluster-snapshot-attribute", what: "changes who may copy a snapshot of a database in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws ec2 modify-snapshot-attribute", what: "changes who may copy a disk's snapshot in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws ec2 modify-image-attribute", what: "changes who may use an image of a machine in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws s3api put-bucket-acl", what: "changes who may read or write a bucket in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws s3api put-object-acl", what: "changes who may read or write a file in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws s3api put-bucket-policy", what: "changes who may do what with a bucket in your account at Amazon, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "aws s3api delete-public-access-block", what: "lets a bucket in your account at Amazon be opened to everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "gsutil iam ch", what: "changes who may do what with a bucket in your account at Google, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "gsutil acl ch", what: "changes who may read or write files in your account at Google, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "gcloud storage buckets add-iam-policy-binding", what: "lets others do more with a bucket in your account at Google, which can be everybody", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "gcloud projects add-iam-policy-binding", what: "lets others do more with a project in your account at Google", note: shown, weight: 7, instead: sayShown},
	{loose: true, words: "gcloud compute instances create", what: "starts machines in your account at Google", note: costs, weight: 6, instead: sayCost},
	{loose: true, words: "az vm create", what: "starts a machine in your account at Microsoft", note: costs, weight: 6, instead: sayCost},
	{kind: effect.Network, words: "gcloud config list", what: "prints what gcloud is set to on this machine: account, project and other settings", note: "; nothing is sent or changed, and the model sees what it prints", weight: 1},
	{kind: effect.Network, words: "gh auth status", what: "asks github.com as whom gh is logged in there", note: "; sends a request and no files, and prints no key without --show-token", weight: 1},
	{loose: true, words: "aws configure get", what: "prints a setting of the aws program on this machine (#), which may be a key", note: "; nothing is sent or changed, and the model sees what it prints", weight: 1, instead: "Say which setting you look for and ask for it."},
	{loose: true, words: "az configure --list-defaults", what: "prints the defaults of the az program on this machine", note: "; nothing is sent or changed", weight: 1},
	{loose: true, words: "gbt rules", word: (*subject).showsGuard},
	{loose: true, words: "gbt log", word: (*subject).showsGuard},
	{loose: true, words: "gbt consent", word: (*subject).showsGuard},
	{loose: true, words: "gbt approvals", word: (*subject).showsGuard},
	{loose: true, words: "gbt explain", word: (*subject).showsGuard},
	{kind: effect.Network, words: "aws", word: (*subject).account},
	{kind: effect.Network, words: "gcloud", word: (*subject).account},
	{kind: effect.Network, words: "gsutil", word: (*subject).account},
	{kind: effect.Network, words: "az", word: (*subject).account},
	{kind: effect.Network, words: "scp", word: (*subject).copied},
	{kind: effect.Network, words: "rsync", word: (*subject).copied},
	{kind: effect.Network, words: "ssh", word: (*subject).login},
	{loose: true, words: "unshare", what: "runs # with unshare, in namespaces of its own, of which gbt does not judge what happens there", note: "; it has your rights and no more", command: true, none: "a shell", weight: 3, instead: "Run it without unshare, or say what it does and ask for it."},
	{kind: effect.Spawn, words: "osascript", what: "runs a script of macOS (osascript), which can steer other applications and start programs", note: able, command: true, weight: 3, instead: "Say which application it steers and what that does, and ask for it."},
	{loose: true, words: "reboot", what: "restarts this machine", note: "; all that runs here ends", weight: 7, instead: sayOff},
	{loose: true, words: "poweroff", what: "switches this machine off", note: "; all that runs here ends", weight: 7, instead: sayOff},
	{loose: true, words: "halt", what: "switches this machine off", note: "; all that runs here ends", weight: 7, instead: sayOff},
	{loose: true, words: "telinit", what: "restarts or switches off this machine, or changes what runs on it", note: "; all that runs here may end", weight: 7, instead: sayOff},
	{loose: true, words: "shutdown", what: "switches off or restarts this machine, or takes that back", note: "; all that runs here ends", weight: 7, instead: sayOff},
	{loose: true, words: "npm version --no-git-tag-version", what: "raises this package's version", note: "; scripts of the project run with it", weight: 1, instead: "Leave the version to the user, or ask for it."},
	{loose: true, words: "npm version", what: "raises this package's version (#), and commits and tags it", first: true, note: "; scripts of the project run with it", weight: 2, instead: "Leave the version to the user, or ask for it."},
	{kind: effect.Network, words: "tcpdump", what: "records what goes over this machine's network", note: "; passwords and private data can be in it", weight: 4, instead: "Say what you look for there and ask for it."},
	{kind: effect.Network, words: "tshark", what: "records what goes over this machine's network", note: "; passwords and private data can be in it", weight: 4, instead: "Say what you look for there and ask for it."},
	{kind: effect.Network, words: "ngrep", what: "records what goes over this machine's network", note: "; passwords and private data can be in it", weight: 4, instead: "Say what you look for there and ask for it."},
	{kind: effect.Network, words: "nginx -s", what: "tells the running nginx to #", first: true, note: "; those who use it may be cut off", weight: 3, instead: "Say why and ask for it."},
	{loose: true, words: "redis-cli --rdb", word: (*subject).dumped},
	{loose: true, words: "valkey-cli --rdb", word: (*subject).dumped},
	{loose: true, words: "nc", what: "opens a network connection, or waits for one, with nc: #", spaced: true, note: atOtherEd, weight: 5},
	{loose: true, words: "ncat", what: "opens a network connection, or waits for one, with ncat: #", spaced: true, note: atOtherEd, weight: 5},
	{loose: true, words: "socat", what: "connects two ends, of which one may be on another machine, with socat: #", spaced: true, note: atOtherEd, weight: 5},
	{loose: true, words: "ansible-playbook", what: "runs the playbook # on the machines of its inventory", first: true, note: "; it changes them as the playbook says", weight: 6},
	{loose: true, words: "adb install", what: "installs an app on the connected device", note: "; it replaces one of the same name", weight: 3},
	{loose: true, words: "adb uninstall", what: "removes the app # from the connected device", first: true, note: "; its data there is lost", weight: 4},
	{loose: true, words: "adb shell", what: "runs a command on the connected device", note: "; gbt cannot see or undo what it does there", weight: 3},
	{loose: true, words: "pre-commit install", what: "puts pre-commit's hooks into this repository, which git runs at each commit", note: holds, weight: 2, instead: "Say what the hooks do, and ask for it."},
	{loose: true, words: "playwright install", what: "downloads browsers for Playwright", note: "; they are kept for all projects of this machine", weight: 2, instead: usePresent},
	{loose: true, words: "go clean -modcache", what: "deletes all of Go's downloaded modules on this machine", note: "; they can be downloaded again", weight: 3, instead: "Say why they have to go, and ask for it."},
	{loose: true, words: "apt-get update", what: "downloads the lists of packages that can be installed", weight: 1, instead: usePresent},
	{loose: true, words: "apt update", what: "downloads the lists of packages that can be installed", weight: 1, instead: usePresent},
	{loose: true, words: "cpanm --uninstall", what: "removes the Perl module #", first: true, note: "; programs that use it fail", weight: 4, instead: usePresent},
	{loose: true, words: "cpanm --info", what: "asks Perl's archive about the module #", weight: 1, instead: usePresent},
	{loose: true, words: "chsh", what: "changes the shell that your login starts", note: "; it holds until somebody changes it back", weight: 4},
	{loose: true, words: "wrangler secret put", what: "stores the secret # at Cloudflare", first: true, note: "; it replaces one of that name", weight: 5, instead: "Say what the secret is for and ask for it."},
	{loose: true, words: "rails credentials:show", what: "prints this project's secrets in plain text", note: "; the model sees what is printed of them", weight: 4, instead: "Work without them, or tell the user which value is needed and what for."},
	{loose: true, words: "terraform init", what: "downloads the providers and modules that Terraform's files name", note: runs, weight: 3},
	{loose: true, words: "terraform apply", what: "changes the infrastructure that Terraform manages", note: "; servers and data can be replaced or lost", weight: 7, instead: "Show the user the plan and ask for this."},
	{loose: true, words: "terraform destroy", what: "destroys the infrastructure that Terraform manages", note: noUndo, weight: 9, instead: "Leave this to the user, or show what would go and ask."},
	{loose: true, words: "pulumi up", what: "changes the infrastructure that Pulumi manages", note: "; servers and data can be replaced or lost", weight: 7, instead: "Show the user the preview and ask for this."},
	{loose: true, words: "pulumi destroy", what: "destroys the infrastructure that Pulumi manages", note: noUndo, weight: 9, instead: "Leave this to the user, or show what would go and ask."},
	{loose: true, words: "cdk deploy", what: "changes what runs in your account at Amazon", note: "; servers and data can be replaced or lost", weight: 7, instead: "Show the user the difference (cdk diff) and ask for this."},
	{loose: true, words: "python -m http.server", what: "serves all files of a directory to whoever reaches this machine", note: "; until it is stopped", weight: 3, instead: "Bind it to 127.0.0.1 (--bind), or say who has to reach it and ask."},
})

// installs are the commands that bring code of others: #, from where.
func installs() []fact {
	var out []fact
	for _, x := range [...]struct{ words, what, note string }{
		{"npm install -g", "installs # from npm's registry for the whole machine", runs},
		{"npm install --global", "installs # from npm's registry for the whole machine", runs},
		{"npm i -g", "installs # from npm's registry for the whole machine", runs},
		{"npm i --global", "installs # from npm's registry for the whole machine", runs},
		{"pnpm add -g", "installs # from npm's registry for all your projects", runs},
		{"pnpm add --global", "installs # from npm's registry for all your projects", runs},
		{"bun add -g", "installs # from npm's registry for all your projects", runs},
		{"bun add --global", "installs # from npm's registry for all your projects", runs},
		{"yarn global add", "installs # from npm's registry for all your projects", runs},
		{"pip install --user", "installs # from Python's registry for all your projects", runs},
		{"pip3 install --user", "installs # from Python's registry for all your projects", runs},
		{"npm install", "installs # from npm's registry", runs},
		{"npm i", "installs # from npm's registry", runs},
		{"npm add", "installs # from npm's registry", runs},
		{"yarn add", "installs # from npm's registry", runs},
		{"pnpm add", "installs # from npm's registry", runs},
		{"bun add", "installs # from npm's registry", runs},
		{"pip install", "installs # from Python's registry", runs},
		{"pip3 install", "installs # from Python's registry", runs},
		{"pipx install", "installs # from Python's registry", runs},
		{"poetry add", "adds # from Python's registry to this project", runs},
		{"pdm add", "adds # from Python's registry to this project", runs},
		{"uv add", "adds # from Python's registry to this project", runs},
		{"uv pip install", "installs # from Python's registry", runs},
		{"conda install", "installs # with conda", runs},
		{"cargo add", "adds # from Rust's registry to this project", rebuilt},
		{"cargo install", "downloads, builds and installs the program #", runs},
		{"go get", "adds or changes the dependency # of this project", rebuilt},
		{"go install", "downloads, builds and installs the program #", rebuilt},
		{"composer require", "adds # from PHP's registry to this project", rebuilt},
		{"bundle add", "adds # from Ruby's registry to this project", rebuilt},
		{"gem install", "installs # from Ruby's registry", runs},
		{"dotnet tool install", "downloads and installs the program #", rebuilt},
		{"flutter pub add", "adds # from Dart's registry to this project", rebuilt},
		{"dart pub add", "adds # from Dart's registry to this project", rebuilt},
		{"cpanm", "installs # from Perl's archive", runs},
		{"luarocks install", "installs # from Lua's registry", runs},
		{"brew install", "installs # on this machine", runs},
		{"apt-get install", "installs # on this machine", holds},
		{"apt install", "installs # on this machine", holds},
	} {
		out = append(out, fact{loose: true, words: x.words, what: x.what, note: x.note, none: "what its files name", weight: 3, instead: usePresent})
	}
	for _, x := range [...]struct{ words, what, note string }{
		{"npx", "runs the program #, downloaded from npm's registry if it is not there", runs},
		{"bunx", "runs the program #, downloaded from npm's registry if it is not there", runs},
		{"npm exec", "runs the program #, downloaded from npm's registry if it is not there", runs},
		{"pnpm dlx", "downloads the program # from npm's registry and runs it", runs},
		{"yarn dlx", "downloads the program # from npm's registry and runs it", runs},
		{"uvx", "runs the Python program #, downloaded if it is not there", runs},
		{"pipx run", "runs the Python program #, downloaded if it is not there", runs},
	} {
		out = append(out, fact{loose: true, words: x.words, what: x.what, note: x.note, command: true, weight: 4, instead: "Use a program that is installed, or say what this one does and ask for it."})
	}
	out = append(out, fact{loose: true, words: "dotnet add", what: "adds to a .NET project: #", spaced: true, note: rebuilt, weight: 3, instead: usePresent})
	return append(out, fact{loose: true, words: "pip uninstall", what: "removes the Python package #", note: "; it can be installed again", weight: 2})
}

// publishes are the commands after which others can have what was here.
func publishes() []fact {
	var out []fact
	for _, x := range [...]struct{ words, what, note string }{
		{"npm publish", "publishes this package in npm's registry", forAll},
		{"pnpm publish", "publishes this package in npm's registry", forAll},
		{"yarn publish", "publishes this package in npm's registry", forAll},
		{"bun publish", "publishes this package in npm's registry", forAll},
		{"twine upload", "publishes Python packages for everybody", forAll},
		{"poetry publish", "publishes this package in Python's registry", forAll},
		{"uv publish", "publishes this package in Python's registry", forAll},
		{"gem push", "publishes a Ruby package for everybody", forAll},
		{"cargo publish", "publishes this package in the registry of Rust", forAll},
		{"dotnet nuget push", "publishes .NET packages", forAll},
		{"mvn deploy", "builds this project and uploads it to its repository of packages", forAll},
		{"gradle publish", "uploads this project to its repository of packages", forAll},
		{"flutter pub publish", "publishes this package in Dart's registry", forAll},
		{"dart pub publish", "publishes this package in Dart's registry", forAll},
		{"mix hex.publish", "publishes this package in Elixir's registry", forAll},
		{"docker push", "uploads the image # to its registry", seen},
		{"podman push", "uploads the image # to its registry", seen},
		{"helm push", "uploads a chart to its registry", seen},
		{"mkdocs gh-deploy", "publishes this site on GitHub", seen},
		{"wrangler deploy", "puts this project into service at Cloudflare", outThere},
		{"wrangler publish", "puts this project into service at Cloudflare", outThere},
		{"vercel deploy", "puts this project into service at Vercel", outThere},
		{"vercel --prod", "puts this project into service at Vercel", outThere},
		{"netlify deploy", "puts this project into service at Netlify", outThere},
		{"firebase deploy", "puts this project into service at Firebase", outThere},
		{"fly deploy", "puts this project into service at Fly", outThere},
		{"eas submit", "sends this app to the app stores", outThere},
		{"eas update", "sends an update to those who use this app", outThere},
		{"eas build", "uploads this project and builds it at Expo", seen},
	} {
		out = append(out, fact{loose: true, words: x.words, what: x.what, note: x.note, weight: 8, instead: leavePubl})
	}
	return out
}

// databases are the commands that make, empty and delete databases.
func databases() []fact {
	out := []fact{
		{loose: true, words: "createdb", what: "creates the database #", first: true, none: "of your name", note: "; it can be deleted again", weight: 2, instead: "Say what it is for and ask for it."},
		{loose: true, words: "dropdb", what: "deletes the database #", first: true, note: dataGone, weight: 7, instead: sayData},
		{loose: true, words: "pg_dump", word: (*subject).dumpedTables},
		{loose: true, words: "pg_dump -s", what: "prints how the tables of the database # are made, without their data", first: true, none: "of your name", weight: 1, instead: "Say what it is for and ask for it."},
		{loose: true, words: "pg_restore", word: (*subject).restored},
		{loose: true, words: "prisma migrate reset", what: "deletes " + ownDatabase + ", and makes it anew", note: dataGone, weight: 7, instead: sayData},
		{loose: true, words: "prisma migrate dev", what: "changes the tables of " + ownDatabase, note: "; tables that it drops are lost with their data", weight: 4, instead: "Say which database it is and what changes in it, and ask for it."},
		{loose: true, words: "prisma migrate deploy", what: "changes the tables of " + ownDatabase, note: "; tables that it drops are lost with their data", weight: 5, instead: "Say which database it is and what changes in it, and ask for it."},
		{loose: true, words: "prisma db push", what: "changes the tables of " + ownDatabase, note: "; tables that it drops are lost with their data", weight: 5, instead: "Say which database it is and what changes in it, and ask for it."},
		{loose: true, words: "prisma db seed", what: "runs this project's program that fills the database that it is set to use", note: "; what that writes or deletes there stays", weight: 3, instead: "Say which database it is and what is written there, and ask for it."},
		{loose: true, words: "dotnet ef database update", what: "changes the tables of " + ownDatabase, note: "; tables that it drops are lost with their data", weight: 4, instead: "Say which database it is and what changes in it, and ask for it."},
	}
	for _, words := range [...]string{"dbt build", "dbt clone", "dbt retry", "dbt run", "dbt seed", "dbt snapshot"} {
		out = append(out, fact{loose: true, words: words, what: "writes tables in the warehouse of the target that it is told or set to use", note: "; what they held is replaced", weight: 5, instead: "Say which target it is and what changes there, or name one of development with --target, and ask for it."})
	}
	for _, words := range [...]string{"mix ecto.reset", "mix ecto.drop", "artisan migrate:fresh", "artisan migrate:refresh", "artisan migrate:reset", "artisan db:wipe", "rails db:drop", "rails db:reset", "rake db:drop", "rake db:reset", "dotnet ef database drop"} {
		out = append(out, fact{loose: true, words: words, what: "deletes all tables of " + ownDatabase, note: dataGone, weight: 7, instead: sayData})
	}
	return out
}

// containers are the commands of containers and clusters.
func containers() []fact {
	out := []fact{
		{loose: true, words: "docker run", word: (*subject).container},
		{loose: true, words: "docker run --privileged", what: "starts a container from the image # with all rights on this machine", first: true, note: "; it can change anything here", weight: 7, instead: "Leave --privileged out, or say what it is for and ask for it."},
	}
	for _, o := range [...]string{"-v", "--volume", "--mount"} {
		out = append(out, fact{loose: true, words: "docker run " + o, word: (*subject).mounted})
	}
	for _, docker := range [...]string{"docker", "podman"} {
		out = append(out,
			fact{loose: true, words: docker + " start", what: "starts the container #", note: "; it works on with what it was given when it was made", weight: 3, instead: "Say what it is needed for and ask for it."},
			fact{loose: true, words: docker + " stop", what: "stops the container #", note: "; what uses it fails until it is started again", weight: 3, instead: "Say why it has to end and ask for it."},
			fact{loose: true, words: docker + " restart", what: "stops the container # and starts it again", weight: 2, instead: "Say why and ask for it."},
			fact{loose: true, words: docker + " kill", what: "ends the container # at once", note: "; what it was writing may be lost", weight: 4, instead: "Say why it has to end and ask for it."},
			fact{loose: true, words: docker + " pull", what: "downloads the image #", first: true, note: "; nothing of it runs until it is started", weight: 2, instead: "Say what it is needed for and ask for it."},
			fact{loose: true, words: docker + " tag", what: "gives an image another name: #", spaced: true, note: "; an image that had it loses it", weight: 2, instead: "Say what the name is for and ask for it."},
			fact{loose: true, words: docker + " network create", what: "makes the network # for containers of this machine", weight: 1, instead: "Say what it is for and ask for it."},
			fact{loose: true, words: docker + " volume create", what: "makes the volume # for containers of this machine", weight: 1, instead: "Say what it is for and ask for it."},
			fact{loose: true, words: docker + " image prune", what: "deletes images that nothing uses", note: "; they can be built or downloaded again", weight: 3, instead: sayCluster},
			fact{loose: true, words: docker + " container prune", what: "deletes all containers that are stopped", note: "; what was written in them is lost", weight: 6, instead: "Delete by name what this session started, or ask for this."},
			fact{loose: true, words: docker + " exec", what: "runs #, a container", inside: true, note: "; it can do there whatever the container may", weight: 3, instead: "Say what the command does in the container and ask for it."},
			fact{loose: true, words: docker + " rm", what: "deletes the container #", note: "; what was written in it is lost", weight: 4, instead: sayCluster},
			fact{loose: true, words: docker + " rmi", what: "deletes the image #", note: "; it can be built or downloaded again", weight: 2, instead: sayCluster},
			fact{loose: true, words: docker + " cp", what: "copies files into or out of a container", note: "; they replace what is there", weight: 3, instead: sayCluster},
			fact{loose: true, words: docker + " system prune", what: "deletes all containers, images and networks that nothing uses", note: noUndo, weight: 6, instead: "Delete by name what this session started, or ask for this."},
			fact{loose: true, words: docker + " system prune --volumes", what: "deletes all containers, images, networks and volumes that nothing uses", note: dataGone, weight: 8, instead: "Delete by name what this session started, or ask for this."},
			fact{loose: true, words: docker + " volume prune", what: "deletes all volumes that nothing uses", note: dataGone, weight: 7, instead: sayData},
			fact{loose: true, words: docker + " volume rm", what: "deletes the volume #", note: dataGone, weight: 7, instead: sayData},
		)
	}
	for _, compose := range [...]string{"docker compose", "docker-compose", "podman compose"} {
		out = append(out,
			fact{loose: true, words: compose + " run", what: "runs #, a new container of that service", inside: true, note: "; it can do there whatever that service may", weight: 3, instead: "Say what the command does in the container and ask for it."},
			fact{loose: true, words: compose + " exec", what: "runs #, the container of that service", inside: true, note: "; it can do there whatever that service may", weight: 3, instead: "Say what the command does in the container and ask for it."},
			fact{loose: true, words: compose + " down -v", what: "stops this project's services and deletes their volumes", note: dataGone, weight: 7, instead: "Leave out -v, which keeps the data, or ask for this."},
			fact{loose: true, words: compose + " down --volumes", what: "stops this project's services and deletes their volumes", note: dataGone, weight: 7, instead: "Leave out --volumes, which keeps the data, or ask for this."},
		)
	}
	return append(out,
		fact{loose: true, words: "kubectl delete", what: "deletes # in the cluster@", spaced: true, note: noUndo, weight: 8, instead: sayCluster},
		fact{loose: true, words: "kubectl delete --all", what: "deletes all # in the cluster@", spaced: true, note: noUndo, weight: 9, instead: sayCluster},
		fact{loose: true, words: "kubectl apply", what: "changes what runs in the cluster@", note: "; it holds until somebody changes it back", weight: 6, instead: sayCluster},
		fact{loose: true, words: "kubectl exec", what: "runs # in the cluster@", inside: true, note: "; it can do whatever the program there can", weight: 6, instead: "Say what the command does there and ask for it."},
		fact{loose: true, words: "kubectl port-forward", what: "opens a port of this machine to # in the cluster@", first: true, note: "; until it is stopped", weight: 2, instead: "Say what is to be reached there and ask for it."},
		fact{loose: true, words: "kubectl cp", what: "copies files into or out of a container in the cluster@: #", spaced: true, note: "; it replaces files of the same names", weight: 4, instead: "Say which files go where and what for, and ask for it."},
		fact{loose: true, words: "kubectl drain", what: "moves all that runs off the machine # of the cluster@", first: true, note: "; what cannot move is stopped", weight: 7, instead: sayCluster},
		fact{loose: true, words: "kubectl rollout restart", what: "restarts # in the cluster@", spaced: true, note: "; what it was doing may be lost", weight: 5, instead: sayCluster},
		fact{loose: true, words: "kubectl rollout undo", what: "puts an older version of # back in the cluster@", spaced: true, note: "; it holds until somebody changes it back", weight: 6, instead: sayCluster},
		fact{loose: true, words: "kubectl scale", what: "changes how often # runs in the cluster@", spaced: true, note: "; it holds until somebody changes it back", weight: 6, instead: sayCluster},
		fact{loose: true, words: "helm install", what: "installs # in the cluster@", first: true, note: "; it holds until somebody removes it", weight: 6, instead: sayCluster},
		fact{loose: true, words: "helm upgrade", what: "installs or changes # in the cluster@", first: true, note: "; helm rollback brings the last one back", weight: 6, instead: sayCluster},
		fact{loose: true, words: "helm uninstall", what: "removes # from the cluster@", note: noUndo, weight: 7, instead: sayCluster},
	)
}

// containerStarted is what docker run does of which nothing else is known.
var containerStarted = fact{words: "docker run", what: "starts a container from the image #", first: true, note: "; what it may reach depends on its options, up to all files of this machine", weight: 4, instead: "Say which files and ports the container gets, and ask for it."}

// container is the sentence of docker run: what other machines reach of it, and that it is
// given no more than the workspace where that is known.
func (s *subject) container(e *gates.Effect, c *command) []clause {
	x := s.factSaid(&containerStarted, e, c)
	switch port := openPort(c.words); {
	case port != "":
		x.what += " and lets other machines reach port " + port + " of this one"
		x.note, x.instead = "; until it is stopped", "Write 127.0.0.1: in front of the port, so that only this machine reaches it, or say who has to and ask for it."
	case e.Kind == effect.Setting && e.Named:
		x.note, x.instead = "; it runs code of whoever made the image, and is given no files but this project's", "Say what the image is needed for and ask for it."
	}
	return []clause{x}
}

// mountedStarted is a container that is given files of this machine.
var mountedStarted = fact{words: "docker run", what: "starts a container from the image # that may use files of this machine@", first: true, note: "; it can change or delete those", weight: 5, instead: "Say which directory the container gets and whether it may write there, and ask for it."}

// mounted says that a container is given files, and whether it may write them.
func (s *subject) mounted(e *gates.Effect, c *command) []clause {
	x := s.factSaid(&mountedStarted, e, c)
	if onlyRead(c.words) {
		x.what = strings.Replace(x.what, "may use files", "may read files", 1)
		x.note, x.instead = "; what it reads it can send elsewhere", "Say which directory the container gets and what it does with it, and ask for it."
	}
	return []clause{x}
}

// onlyRead says whether all that docker run mounts is mounted to be read (docker run, Mount volume).
func onlyRead(words []string) bool {
	some := false
	for i, w := range words {
		option, value, attached := strings.Cut(w, "=")
		if option != "-v" && option != "--volume" && option != "--mount" && !(strings.HasPrefix(w, "-v") && !strings.HasPrefix(w, "--")) && option != "--privileged" && option != "--volumes-from" && option != "--device" {
			continue
		}
		if !attached && i+1 < len(words) {
			value = words[i+1]
		}
		if (option != "-v" && option != "--volume") || !strings.HasSuffix(value, ":ro") {
			return false
		}
		some = true
	}
	return some
}

// openPort is a port that docker run opens for other machines, which is any that no address
// of this one stands in front of (docker run, Publish or expose port); empty for none.
func openPort(words []string) string {
	for i, w := range words {
		option, value, attached := strings.Cut(w, "=")
		switch {
		case option != "-p" && option != "--publish":
			continue
		case !attached && i+1 < len(words):
			value = words[i+1]
		}
		parts := strings.Split(value, ":")
		if len(parts) == 2 && parts[0] != "" && strings.Trim(parts[0], "0123456789-") == "" {
			return parts[0]
		}
	}
	return ""
}
