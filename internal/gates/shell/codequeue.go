package shell

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges short code that only asks something of a library: Sidekiq's queues, a class of
// Composer's packages, V8 about its memory, a module of WebAssembly.

// sidekiqSets are the queues and sets of Sidekiq's API, and sidekiqReads what they and their jobs
// tell (github.com/sidekiq/sidekiq/wiki/API). What deletes, retries or kills a job is none of them.
const (
	sidekiqSets  = "Queue RetrySet ScheduledSet DeadSet Stats ProcessSet WorkSet"
	sidekiqReads = "all size count first each map latency name enqueued processed failed retry_size scheduled_size dead_size processes_size workers_size queues klass display_class error_message error_class queue jid retry_count failed_at created_at enqueued_at at args to_a tally uniq length sort"
)

var (
	sidekiqNew  = regexp.MustCompile(`\bSidekiq::(\w+)\.new(?:\((?:"[\w-]*"|'[\w-]*')\))?`)
	sidekiqAPI  = regexp.MustCompile(`^\s*require\s+["']sidekiq/api["']\s*(?:;|\n|$)`)
	codeBlock   = regexp.MustCompile(`\s*\{\s*\|(\w+)\|\s*((?:puts|p|print|pp)\s+[\w., ]+|[\w., ]+)\}`)
	capitalWord = regexp.MustCompile(`\b[A-Z]\w*`)
)

// asksQueues says whether code of the console of Rails only asks Sidekiq what waits in its queues.
func asksQueues(code string) bool {
	code = sidekiqAPI.ReplaceAllString(code, "")
	code = sidekiqNew.ReplaceAllString(code, "Sidekiq.$1")
	var said strings.Builder
	for {
		at := codeBlock.FindStringSubmatchIndex(code)
		if at == nil {
			break
		}
		name, body := code[at[2]:at[3]], strings.TrimSpace(code[at[4]:at[5]])
		if !strings.HasPrefix(body, "p") {
			body = "puts " + body
		}
		said.WriteString(";" + regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(body, "Sidekiq"))
		code = code[:at[0]] + code[at[1]:]
	}
	code += said.String()
	for _, word := range capitalWord.FindAllString(code, -1) {
		if word != "Sidekiq" && !hasWord(sidekiqSets, word) {
			return false
		}
	}
	return readsRecords(code, strings.Fields(sidekiqReads))
}

// composerAsks is PHP that loads what Composer has installed and prints a constant of a class, or what
// Composer knows of a package (getcomposer.org, Runtime Utilities).
var composerAsks = regexp.MustCompile(`^\s*require(?:_once)?\s*\(?\s*(?:__DIR__\s*\.\s*["']/|["'](?:\./)?)vendor/autoload\.php["']\s*\)?\s*;\s*(?:echo|print)\s+(?:\\?[A-Za-z_][\w\\]*::[A-Z][A-Z0-9_]*|\\?Composer\\InstalledVersions::(?:getVersion|getPrettyVersion|isInstalled|getReference)\(["'][\w./-]+["']\))\s*(?:[.,]\s*(?:PHP_EOL|["']\\n["'])\s*)?;?\s*$`)

// asksComposer judges such code, which runs what lies in vendor; false where it is something else.
func (m *machine) asksComposer(text string) bool {
	if mark.Has(text) || !composerAsks.MatchString(text) || slices.ContainsFunc(m.p.Made, func(f effect.Made) bool { return strings.HasSuffix(f.Path, ".php") }) {
		return false // a class that the session wrote runs when it is named
	}
	if len(m.files) > 0 {
		m.judgeWritten(false)
	}
	m.script("vendor/autoload.php")
	m.spawn(effect.OpRunCode, "php")
	return true
}

var (
	// heapAsked is V8 asked about its memory (Node.js documentation, v8).
	heapAsked = regexp.MustCompile(`\brequire\((?:"(?:node:)?v8"|'(?:node:)?v8')\)\.(?:getHeapStatistics|getHeapSpaceStatistics|getHeapCodeStatistics|cachedDataVersionTag)\(\)`)
	// wasmAlone is a module of WebAssembly that is given nothing, so that it can only compute.
	wasmAlone = regexp.MustCompile(`\bWebAssembly\.(?:instantiate|compile)\(((?:require\((?:"(?:node:)?fs"|'(?:node:)?fs')\)|fs)\.readFileSync\((?:"[\w./-]+"|'[\w./-]+')\))\)`)
)

// inOtherWords is code with what is judged as something simpler written as that.
func (m *machine) inOtherWords(lang, text string) string {
	switch lang {
	case "perl":
		return withoutUses(text)
	case "python":
		return spelledAttributes(m.linkPython(spelledImports(m.asksHere(text))))
	case "node":
		if text = m.fetchesHere(withoutAsking(namedFs(text))); strings.Contains(text, "import") {
			text = withoutImports(text)
		}
		return partlyUsed(text)
	}
	return text
}

// withoutAsking is code of Node.js with what such calls give in their place.
func withoutAsking(text string) string {
	if strings.Contains(text, "v8") {
		text = heapAsked.ReplaceAllString(text, "({})")
	}
	if strings.Contains(text, "WebAssembly.") {
		text = wasmAlone.ReplaceAllString(text, "Promise.resolve($1)")
	}
	return text
}
