package origin

import (
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// proseKeys are the last words of keys whose values people write as they like: a
// mail's body, an issue's title. Whoever writes one may make it nothing but an
// address, so what it holds is text even where it holds nothing else. The words
// are those of mail, chat, calendar, issue, search and process APIs.
const proseKeys = "about answer bio blurb bodies body caption captions comment comments content contents desc description descriptions detail details excerpt excerpts feedback headline html " +
	"instruction instructions log logs markdown memo message note notes output preview readme reason remark remarks review reviews snippet snippets stderr stdout subject subjects " +
	"summaries summary text texts title titles transcript"

// isProse says whether a key is one of prose, or a compound that ends in one:
// issue_title, messageText.
func isProse(key string) bool {
	words := call.Words(key)
	if len(words) == 0 {
		return false
	}
	found := mark.Among(proseKeys, words[len(words)-1])
	return found
}
