package distill

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
)

// likeWords are words of one meaning in names of tools, of English in general.
var likeWords = [...][]string{
	{"get", "fetch", "retrieve", "read", "show", "view"},
	{"search", "find", "locate", "lookup"},
	{"check", "inspect", "verify", "validate"},
	{"calculate", "compute"},
	{"send", "dispatch", "emit"},
	{"create", "make", "generate"},
	{"update", "modify", "edit", "change"},
	{"delete", "remove", "erase"},
	{"cancel", "revoke", "drop"},
	{"reserve", "book"},
	{"post", "publish", "upload", "submit"},
	{"email", "mail"},
	{"emails", "mails"},
	{"message", "chat"},
	{"messages", "chats"},
	{"file", "document"},
	{"files", "documents"},
	{"event", "meeting", "appointment"},
	{"events", "meetings", "appointments"},
	{"transaction", "payment"},
	{"transactions", "payments"},
	{"money", "funds"},
	{"webpage", "website"},
	{"reservation", "booking"},
	{"details", "information", "info"},
	{"participants", "attendees", "guests"},
	{"product", "item"},
	{"user", "customer"},
}

// synonym is a tool's name with other words of the same meaning, and for words
// that say nothing of what it does, words that mean nothing. What joins words
// stays. try makes it another one.
func (r *renamer) synonym(tool string, try uint64) string {
	bare := call.Name(tool)
	prefix, short := tool[:max(0, len(tool)-len(bare))], tool[max(0, len(tool)-len(bare)):]
	var out strings.Builder
	out.WriteString(prefix)
	for len(short) > 0 {
		n := wordEnd(short)
		out.WriteString(r.like(short[:n], try))
		short = short[n:]
	}
	return out.String()
}

// wordEnd is where the first word of a name ends, or what stands between two.
func wordEnd(s string) int {
	n := 1
	for n < len(s) && letter(s[n]) == letter(s[0]) && !(capital(s[n]) && !capital(s[n-1])) {
		n++
	}
	return n
}

func letter(c byte) bool  { return c >= 'a' && c <= 'z' || capital(c) }
func capital(c byte) bool { return c >= 'A' && c <= 'Z' }

// keptWords join the words of a name, or say which of its objects are meant.
var keptWords = []string{"a", "all", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}

func (r *renamer) like(w string, try uint64) string {
	low := strings.ToLower(w)
	for _, list := range likeWords {
		if i := slices.Index(list, low); i >= 0 {
			return likeCase(w, list[(uint64(i)+1+(r.hash(low)+try)%uint64(len(list)-1))%uint64(len(list))])
		}
	}
	_, verb := call.VerbOf(low)
	switch {
	case !letter(w[0]), verb, slices.Contains(keptWords, low), call.Classify("get_"+low) != call.Classify("get_x"):
		return w
	case strings.HasSuffix(low, "s"):
		return likeCase(w, r.word(strings.TrimSuffix(low, "s"))+"s")
	}
	return likeCase(w, r.word(low))
}
