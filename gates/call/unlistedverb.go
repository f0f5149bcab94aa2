package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// outKeys are names under which servers take the path that a result is written
// to, also those of tools that read by their name. In lower case.
var outKeys = [...]string{
	"output", "out", "output_path", "output_file", "outputpath", "outputfile", "out_file", "outfile", "dest", "destination", "dest_path", "destination_path", "dst",
	"output_dir", "outputdir", "output_directory", "output_folder", "out_dir", "outdir", "dest_dir", "destination_dir", "save_dir", "download_dir", "export_dir", "target_dir", "extract_to",
	"save_to", "save_as", "save_path", "to_file", "write_to", "export_path", "export_to", "download_path", "download_to", "local_path", "target_path",
}

// isOut says whether a value stands where a tool takes to where its result goes.
func (b *builder) isOut(value string) bool {
	return slices.ContainsFunc(b.c.Args, func(a Arg) bool { return a.Value == value && slices.Contains(outKeys[:], strings.ToLower(a.Path)) })
}

// verbKeys are names under which one tool for many things takes what it is to
// do. In lower case.
var verbKeys = [...]string{"action", "operation", "method", "http_method", "verb"}

// asksFor adds what the words of an action say beyond the tool's name: list_users
// with the action delete deletes.
func (b *builder) asksFor(values []string) {
	switch b.c.Class.Verb {
	case effect.VerbRead, effect.VerbSearch, effect.VerbNavigate:
	default:
		return // its name says that it changes something
	}
	for _, v := range values {
		ws := words(v)
		if len(ws) == 0 || len(ws) > maxNameWords {
			continue
		}
		verb, _ := verbWord(ws[0])
		if verb == effect.VerbCreate && ws[0] != "open" {
			verb = effect.VerbWrite
		}
		switch verb {
		case effect.VerbDelete, effect.VerbSend, effect.VerbExecute, effect.VerbWrite:
			does := verb.Record()
			b.add(effect.Effect{Kind: does.Kind, Op: does.Op, Zone: effect.ZoneRecord, Resource: b.call.Tool})
		}
	}
}

// mutates says whether a query is a mutation of GraphQL (specification, 2.3).
func mutates(q string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(q, " \t\r\n"), "mutation")
	return ok && strings.IndexByte(rest, '{') >= 0 && rest[0] < 'A'
}

// namesCode says whether a formula names what only code has.
func namesCode(v string) bool {
	for _, w := range [...]string{"import", "eval", "exec", "open", "system", "getattr", "subprocess", "require", "process.", "lambda"} {
		if strings.Contains(v, w) {
			return true
		}
	}
	return false
}

// calledBack adds the addresses that a result is told to, or that a tool goes
// through.
func (b *builder) calledBack(key string, f field) {
	if key == "webhook" && !f.nested && !f.list {
		return // addGuessed has judged it
	}
	if !strings.Contains(key, "callback") && !strings.Contains(key, "webhook") && !strings.Contains(key, "proxy") {
		b.addressed(key, f)
		return
	}
	for _, v := range f.values {
		if strings.Contains(v, "://") && !strings.ContainsAny(v, " \t\n") {
			b.url(effect.OpSend, v)
		}
	}
}

// addressed adds the addresses that a tool which only reads, by its name, is
// given under any name: target_url is as good as url. Tools of other verbs are
// judged by them already. Texts only mention an address.
func (b *builder) addressed(key string, f field) {
	switch b.c.Class.Verb {
	case effect.VerbRead, effect.VerbSearch, effect.VerbNavigate, effect.VerbThink, effect.VerbAsk, effect.VerbFinish:
	default:
		return
	}
	if slices.Contains(textKeys[:], key) {
		return
	}
	op := effect.OpSend
	if b.c.Class.Family == FamilyWeb {
		op = effect.OpFetch
	}
	for _, v := range f.values {
		if isAddress(v) && !b.judgedAddress(v) && !b.ownAddress(v) {
			b.url(op, v)
		}
	}
}

// isAddress says whether a value is an absolute address of a network and nothing
// else. What file: names is a path.
func isAddress(v string) bool {
	scheme, rest, ok := strings.Cut(v, "://")
	return ok && scheme != "" && rest != "" && len(v) <= maxPath && !strings.ContainsAny(v, " \t\r\n") &&
		strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == "" && !strings.EqualFold(scheme, "file")
}

// onNetwork says whether a value is an address of a protocol of the network.
func onNetwork(v string) bool {
	if !isAddress(v) {
		return false
	}
	scheme, _, _ := strings.Cut(v, "://")
	n, _ := effect.ParseURL("x", strings.ToLower(scheme))
	return n.Port != 0
}

func (b *builder) judgedAddress(v string) bool {
	for i := range b.c.Effects {
		if e := &b.c.Effects[i]; e.Kind == effect.Network && e.Resource == v {
			return true
		}
	}
	return false
}
