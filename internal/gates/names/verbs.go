package names

import "strings"

// This file is the one list of words by which names of commands, tasks and calls say what is done: what is asked
// about one is worded by it (package wording), and none of them is taken for a subcommand that only has help.

// The words of each kind, separated by blanks, as they are parts of names. English.
const (
	Flashes      = "burn flash reflash eraseall mkfs repartition efuse"
	Publishes    = "publish publishing publishes deploy deploys redeploy push upload uploads submit share promote distribute trunk beta gh-deploy"
	Releases     = "release releases"
	Withdraws    = "unpublish yank deprecate"
	Deletes      = "destroy undeploy drop wipe flush flushall nuke erase reset uninstall delete remove rm rmi rmdir rmtree unlink del purge prune clean clear truncate teardown gc rf revert obliterate expunge"
	Migrates     = "migrate migration migrations rollback downgrade backfill failover restore apply rollout provision"
	Sends        = "send mail email sendmail notify broadcast post tweet transfer"
	ShowsSecrets = "secret secrets token tokens password passwords passphrase credential credentials decrypt login logout auth keychain vault netrc cookies pass keyvault"
	Grants       = "owner owners access permission permissions member members grant revoke"
	Stops        = "stop kill cancel terminate drain evict suspend halt poweroff reboot restart shutdown"
	RunsCode     = "exec execute eval command cmd shell hook hooks plugin plugins script runner repl console ssh toolexec vettool"
	Installs     = "install download self-update upgrade"
	Connects     = "connect tunnel listen serve server proxy mirror remote"
	Changes      = "add update sync put store insert upsert patch replace overwrite rename import create edit write"
	Configures   = "config configure set use switch activate enable disable"
)

// acts are those by which something is done that is more than a change.
var acts = [...]string{Flashes, Publishes, Releases, Withdraws, Deletes, Migrates, Sends, ShowsSecrets, Grants, Stops, RunsCode, Installs, Connects}

// Acts says whether a part of a name, in small letters, says that something is done that is more than a change: it is
// deleted, sent, released, stopped, run or installed, or secrets are shown.
func Acts(part string) bool {
	for _, list := range acts {
		if part != "" && strings.Contains(" "+list+" ", " "+part+" ") {
			return true
		}
	}
	return false
}
