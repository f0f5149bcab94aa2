package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/class"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// namedRead adds what a tool that only reads by its name may do with what it is
// given. A name proves nothing: whoever gets a recipient may write to it, and
// whoever gets a credential has it. Addresses are judged by addressed; commands,
// code and paths by the rest of addGuessed.
func (b *builder) namedRead() {
	switch b.c.Class.Verb {
	case effect.VerbRead, effect.VerbSearch, effect.VerbNavigate:
	default:
		return
	}
	switch b.c.Class.Family {
	case FamilyFile, FamilyShell, FamilyCode, FamilySQL, FamilyAgent:
		return // of the machine, and judged by what they do there
	}
	for i := range b.c.Args {
		a := &b.c.Args[i]
		key := strings.ToLower(withoutNumbers(a.Path))
		key = key[strings.LastIndexByte(key, '.')+1:]
		if mark.Among(toKeys, key) && strings.IndexByte(a.Value, '@') > 0 {
			b.send(a.Value)
		}
		if class.Sent(a.Value)&class.Credentials != 0 {
			b.add(effect.Effect{Kind: effect.Network, Op: effect.OpSend, Zone: effect.ZoneRecord, Resource: b.call.Tool})
		}
	}
}

// toKeys are names under which servers take to whom something goes, in lower case.
// A name that records are also found by (to, email) is none of them: mail is looked
// for by whom it went to.
const toKeys = "bcc bcc_recipients cc cc_recipients copy_to deliver_to email_to forward_to mail_to notify notify_email recipient recipient_email recipients reply_to report_to send_to " +
	"share_with"
