// Package names is the one list of names that say what something holds: secrets
// and private records, and what must not be changed without review.
//
// What belongs here: a test of a name, and its row. What never does: where a path
// lies (package effect), and what a log shows instead of a secret (package redact).
package names

import (
	"slices"
	"strings"
	"sync"
)

// This file is the one list of sensitive names: of what holds secrets or private
// records, and of what says that a value is one. Every test for such a name, of
// a path, a variable, a tool, an argument or a log's key, is made from it
// (sensitive.go, secret.go). What must not be changed is another matter and
// stands in guarded.go.

// nameUse is what a word is a sensitive name of. A word may be that in several
// ways, and where one test knows it and another does not, that is a decision
// that was measured, and a column here.
type nameUse uint32

// The uses of a name. File names, devices and places are written as they are,
// and all other words in lower case.
const (
	file     nameUse = 1 << iota // a file's name; a pattern that spells most of it is after it
	target                       // a file's name that every pattern that can match it is after
	exact                        // a file's name that no pattern is taken to be after
	unsought                     // with one of these three: a search for the name is not one for a secret
	ending                       // the end of a file's name
	sample                       // says that .env.WORD is a sample without values; a part of X.env does too
	place                        // a file or directory, and all below: from the root, or anywhere for /. and /Library
	device                       // a path below /dev or /proc that shows memory

	process     // a file below /proc/PID that shows a process
	processTree // a directory there

	variable     // a well-known variable: a pattern that matches a part of it is after it
	variablePart // a part of a variable's name, in any case

	toolWord // a word of a tool's name, without a plural s, or several that follow each other: the tool reads secrets
	argument // the name of an argument that sets a secret

	keyPart // a part of an argument's or field's name, without the signs between its words: a log shows no value of it
	keyWord // a whole word of one; as a part of another it says nothing (shipping, opinion)
	header  // the last word of a header's name: a log shows no value of it

	resource // the start of a type of resource, as kubectl names them
	table    // a database's table or column of its accounts
)

// sensitiveName is a row: a word, and what it is a name of.
type sensitiveName struct {
	word string
	use  nameUse
}

// used says whether a word is a name of one of the uses.
func used(word string, uses nameUse) bool {
	low, high := 0, len(sensitiveNames)
	for low < high {
		mid := (low + high) / 2
		if n := &sensitiveNames[mid]; n.word < word {
			low = mid + 1
		} else if n.word > word {
			high = mid
		} else {
			return n.use&uses != 0
		}
	}
	return false
}

// namesOf lists the names of one of the uses, in order.
func namesOf(uses nameUse) []string {
	var out []string
	for i := range sensitiveNames {
		if n := &sensitiveNames[i]; n.use&uses != 0 {
			out = append(out, n.word)
		}
	}
	return out
}

// nameLists are the names of the uses that are looked for in a text, rather than
// looked up.
type nameLists struct {
	wholeNames, fileNames, targetNames, endings, sampleWords, placeNames []string
	variables, variableParts, toolPhrases, keyParts, resources           []string
}

// lists are made once, by whoever first asks.
var lists = sync.OnceValue(func() *nameLists {
	return &nameLists{
		wholeNames: inBothCases(namesOf(file | target | exact)), fileNames: inBothCases(namesOf(file)), targetNames: namesOf(target), endings: namesOf(ending),
		sampleWords: namesOf(sample), placeNames: inBothCases(namesOf(place)), variables: namesOf(variable), variableParts: upper(namesOf(variablePart)),
		toolPhrases: slices.DeleteFunc(namesOf(toolWord), func(w string) bool { return !strings.Contains(w, " ") }),
		keyParts:    namesOf(keyPart), resources: namesOf(resource),
	}
})

// inBothCases adds the names in lower case, which a folded path is compared with. A
// short one (SAM) would be a common word.
func inBothCases(list []string) []string {
	for _, w := range list {
		if low := strings.ToLower(w); low != w && len(w) > 3 {
			list = append(list, low)
		}
	}
	slices.Sort(list)
	return list
}

func upper(words []string) []string {
	for i, w := range words {
		words[i] = strings.ToUpper(w)
	}
	return words
}

// sensitiveNames are the names, sorted by their bytes. Files, directories and variables are from
// the manuals of the tools and services that keep secrets there; the words are
// those that people call secrets by.
var sensitiveNames = [...]sensitiveName{
	{".asc.key", ending},
	{".bash_history", file},
	{".boto", file},
	{".dbshell", file},
	{".dev.vars", file}, // secrets for local runs of Workers (Cloudflare's docs, Workers, Secrets)
	{".dockercfg", file},
	{".env", target},
	{".envrc", target},
	{".git-credentials", file},
	{".gpg", ending},
	{".htpasswd", file},
	{".irb_history", file},
	{".jks", ending},
	{".kdbx", ending},
	{".key", ending},
	{".keystore", ending},
	{".keytab", ending},
	{".lesshst", file},
	{".mongorc.js", file},
	{".my.cnf", file},
	{".mylogin.cnf", file},
	{".mysql_history", file},
	{".netrc", file},
	{".node_repl_history", file},
	{".npmrc", file},
	{".ovpn", ending},
	{".p12", ending},
	{".pem", ending},
	{".pfx", ending},
	{".pgpass", file},
	{".ppk", ending},
	{".psql_history", file},
	{".pypirc", file},
	{".python_history", file},
	{".rediscli_history", file},
	{".s3cfg", file},
	{".secret", ending},
	{".sh_history", file},
	{".sqlite_history", file},
	{".terraformrc", file},
	{".tfvars", ending},
	{".tfvars.json", ending},
	{".vault-token", file},
	{".viminfo", file},
	{".wgetrc", file},
	{".zhistory", file},
	{".zsh_history", file},
	{"/.aws", place},
	{"/.azure", place},
	{"/.bash_sessions", place},
	{"/.bitcoin", place},
	{"/.cargo/credentials", place},
	{"/.claude.json", place},
	{"/.claude/.credentials", place},
	{"/.codex/auth.json", place},
	{"/.composer/auth.json", place},
	{"/.config/BraveSoftware", place},
	{"/.config/chromium", place},
	{"/.config/doctl", place},
	{"/.config/gcloud", place},
	{"/.config/gh", place},
	{"/.config/google-chrome", place},
	{"/.config/heroku", place},
	{"/.config/hub", place},
	{"/.config/op", place},
	{"/.config/rclone", place},
	{"/.config/sops", place},
	{"/.docker/config.json", place},
	{"/.electrum", place},
	{"/.ethereum", place},
	{"/.gem/credentials", place},
	{"/.git/config", place},
	{"/.gnupg", place},
	{"/.helm", place},
	{"/.kube", place},
	{"/.local/share/keyrings", place},
	{"/.m2/settings.xml", place},
	{"/.minikube", place},
	{"/.mozilla", place},
	{"/.oci", place},
	{"/.openclaw", place},
	{"/.password-store", place},
	{"/.ssh", place},
	{"/.terraform.d/credentials", place},
	{"/.thunderbird", place},
	{"/Library/Cookies", place},
	{"/Library/Keychains", place},
	{"/Library/Messages", place},
	{"/dev/kmem", device},
	{"/dev/mem", device},
	{"/dev/port", device},
	{"/etc/NetworkManager/system-connections", place},
	{"/etc/kubernetes", place},
	{"/etc/letsencrypt", place},
	{"/etc/openvpn", place},
	{"/etc/pam.d", place},
	{"/etc/pki/tls/private", place},
	{"/etc/security", place},
	{"/etc/ssh", place},
	{"/etc/ssl/private", place},
	{"/etc/sudoers.d", place},
	{"/etc/wireguard", place},
	{"/proc/kallsyms", device},
	{"/proc/kcore", device},
	{"/run/secrets", place},
	{"/var/lib/docker", place},
	{"/var/log/audit", place},
	{"/var/mail", place},
	{"/var/run/secrets", place},
	{"/var/spool/cron", place},
	{"/var/spool/mail", place},
	{"ANTHROPIC_API_KEY", variable},
	{"AWS_SECRET_ACCESS_KEY", variable},
	{"AWS_SESSION_TOKEN", variable},
	{"AZURE_CLIENT_SECRET", variable},
	{"CI_JOB_TOKEN", variable},
	{"CLOUDFLARE_API_TOKEN", variable},
	{"COUCHDB_PASSWORD", variable},
	{"DATABASE_URL", variable},
	{"DB_PASSWORD", variable},
	{"DIGITALOCEAN_ACCESS_TOKEN", variable},
	{"DOCKER_PASSWORD", variable},
	{"ELASTIC_PASSWORD", variable},
	{"GEMINI_API_KEY", variable},
	{"GH_TOKEN", variable},
	{"GITHUB_TOKEN", variable},
	{"GITLAB_TOKEN", variable},
	{"GOOGLE_APPLICATION_CREDENTIALS", variable},
	{"HEROKU_API_KEY", variable},
	{"HF_TOKEN", variable},
	{"LDAP_ADMIN_PASSWORD", variable},
	{"Login Data", file},
	{"MARIADB_PASSWORD", variable},
	{"MINIO_PASSWORD", variable},
	{"MONGO_INITDB_PASSWORD", variable},
	{"MSSQL_SA_PASSWORD", variable},
	{"MYSQL_PWD", variable},
	{"NPM_TOKEN", variable},
	{"NTDS.dit", file},
	{"OPENAI_API_KEY", variable},
	{"PGPASSWORD", variable},
	{"POSTGRES_PASSWORD", variable},
	{"PYPI_TOKEN", variable},
	{"RABBITMQ_PASSWORD", variable},
	{"REDIS_PASSWORD", variable},
	{"SAM", file},
	{"SECRET_KEY_BASE", variable},
	{"SENTRY_DSN", variable},
	{"SLACK_BOT_TOKEN", variable},
	{"SMTP_PASSWORD", variable},
	{"SPRING_PASSWORD", variable},
	{"STRIPE_SECRET_KEY", variable},
	{"TWILIO_AUTH_TOKEN", variable},
	{"VAULT_TOKEN", variable},
	{"WORDPRESS_DB_PASSWORD", variable},
	{"_netrc", file},
	{"_rsa", ending},
	{"accessTokens.json", file},
	{"access_key", variablePart},
	{"accesskey", keyPart},
	{"api_key", variablePart},
	{"apikey", variablePart | toolWord | keyPart},
	{"application_default_credentials.json", file},
	{"auth", keyWord | header},
	{"auth.log", file},
	{"authentication_string", table},
	{"authkey", keyPart},
	{"authorization", keyPart},
	{"authorized_keys", file},
	{"auxv", process},
	{"azureProfile.json", file},
	{"btmp", file},
	{"cert9.db", file},
	{"cmdline", process},
	{"cookie", toolWord | keyPart},
	{"cookies.sqlite", file},
	{"credential", variablePart | toolWord | keyPart},
	{"credentials.db", file},
	{"credentials.json", file},
	{"credentials.toml", file},
	{"credentials.yaml", file},
	{"credentials.yml", file},
	{"cvc", keyPart},
	{"cvv", keyPart},
	{"cwd", processTree},
	{"defaults", sample},
	{"dist", sample},
	{"env", toolWord},
	{"environ", process},
	{"environment variable", toolWord},
	{"example", sample},
	{"gshadow", file | resource},
	{"gshadow-", file},
	{"id_dsa", target},
	{"id_ecdsa", target},
	{"id_ecdsa_sk", exact},
	{"id_ed25519", target},
	{"id_ed25519_sk", exact},
	{"id_rsa", target},
	{"key", header},
	{"key3.db", file},
	{"key4.db", file},
	{"keychain", toolWord},
	{"keyring", toolWord},
	{"krb5.keytab", file},
	{"lastlog", file},
	{"logins.json", file},
	{"maps", process},
	{"master.key", file},
	{"master.passwd", file},
	{"mem", process},
	{"msal_token_cache.json", file},
	{"opasswd", file},
	{"otp", keyWord},
	{"pass", keyWord},
	{"passcode", keyPart},
	{"passphrase", toolWord | keyPart},
	{"passwd", file | unsought | variablePart | keyPart},
	{"passwd-", file},
	{"password", variablePart | toolWord | argument | keyPart | header},
	{"pg_authid", table},
	{"pg_shadow", table},
	{"pg_user_mapping", table},
	{"pg_user_mappings", table},
	{"pin", keyWord},
	{"private_key", variablePart},
	{"privatekey", keyPart},
	{"pw", keyWord},
	{"pwd", keyPart},
	{"root", process | processTree},
	{"sample", sample},
	{"secret", variablePart | toolWord | keyPart | header | resource},
	{"secrets.json", file},
	{"secrets.toml", file},
	{"secrets.yaml", file},
	{"secrets.yml", file},
	{"secring.gpg", file},
	{"service-account.json", file},
	{"session", keyWord | header},
	{"sessionid", keyPart},
	{"sessionkey", keyPart},
	{"shadow", file | resource},
	{"shadow-", file},
	{"signingkey", keyPart},
	{"ssh_host_dsa_key", file},
	{"ssh_host_ecdsa_key", file},
	{"ssh_host_ed25519_key", file},
	{"ssh_host_rsa_key", file},
	{"sudoers", file},
	{"task", processTree},
	{"template", sample},
	{"terraform.tfstate", file},
	{"terraform.tfstate.backup", file},
	{"test.example", sample},
	{"token", variablePart | keyPart | header},
	{"token.json", file},
	{"totp", keyWord},
	{"vault", toolWord},
	{"vault.hcl", file},
	{"wallet.dat", file},
	{"wp-config.php", file},
	{"wtmp", file},
}
