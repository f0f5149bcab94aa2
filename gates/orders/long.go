package orders

import (
	"cmp"
	"slices"
	"strings"
)

// This file reads messages of several sentences. Each sentence is one of these, or the message
// orders nothing: an order, with other things to do beside it; something to do that sends
// nothing; what is said of an order before; a sentence about something else, which has no word
// that could be about sending, put it off or make it somebody else's.

// long reads such a message.
func long(prompt string) []Order {
	var c cutter
	said, ok := c.cut(plainText.Replace(prompt))
	if !ok {
		return nil
	}
	r := reading{names: c.names}
	for i := range said {
		if !r.take(&said[i]) {
			return nil
		}
	}
	return r.orders()
}

// reading is what was read of a message so far.
type reading struct {
	names  func(string) (string, bool)
	found  []Order
	tested bool
	not    []Kind
	review bool // it is about a review
	makes  bool // it is about a thing that does what is told, so that an order may be what the thing is to do
	data   bool // the last sentence is about values and not about code
	refers bool // the last sentence says that something follows
	draft  bool // what stands behind an order says that the request is to be one
	base   string
}

// orders are those that were read, less what was taken out again.
func (r *reading) orders() []Order {
	for _, k := range r.not {
		for _, o := range r.found {
			if o.Kind == k && !(k == Push && o.SideBranch) {
				return nil // one sentence orders it, and another one does not want it
			}
		}
	}
	requests := 0
	for i := range r.found {
		o := &r.found[i]
		if o.Tested = r.tested; o.Kind != PullRequest {
			continue
		}
		requests++
		o.Draft = o.Draft || r.draft
		if r.base != "" && o.Branch != "" && o.Branch != r.base {
			return nil
		}
		o.Branch = cmp.Or(o.Branch, r.base)
	}
	if r.base != "" && requests == 0 {
		return nil
	}
	return once(r.found)
}

// take takes one sentence.
func (r *reading) take(p *piece) bool {
	p.text = r.plain(p.text)
	if m := showing.get().FindStringSubmatch(p.text); m != nil && !basing.in(m[1]) {
		p.text, p.shows = m[1], true
	}
	if p.shows && (shown.in(p.text) || task(p.text)) {
		return true
	}
	if r.otherLine(p.text) {
		return false
	}
	r.tested = r.tested || mustPass.in(p.text)
	if len(p.text) <= maxShort {
		found, tested, ok := r.ordered(p)
		if ok && len(found) > 0 {
			if r.data && !sentOff.in(p.text) {
				return false // a value is what is pushed there
			}
			if p.inert || r.refers || r.makes && !addressed.in(p.text) && !whenDone.in(p.text) || p.asks && !requested.in(p.text) {
				return false
			}
			r.found, r.tested = append(r.found, found...), r.tested || tested
			return true
		}
		r.tested = r.tested || ok && tested
	}
	if len(r.found) > 0 {
		return !p.asks && r.behind(p.text)
	}
	if !r.unrelated(p) {
		return false
	}
	r.note(p)
	return true
}

// plain is a sentence without brackets that say nothing of sending, and without what is done before.
func (r *reading) plain(s string) string {
	brackets, first := bracketed.get().FindAllStringIndex(s, -1), len(s)
	if len(brackets) > 0 {
		if at := speaks.get().FindStringIndex(s); at != nil {
			first = at[0]
		}
	}
	for _, at := range slices.Backward(brackets) {
		in, behind := harmless.without(s[at[0]:at[1]]), first < at[0]
		if behind && noting.in(in) || !behind && !speaks.in(in) && !takesBack.in(in) && !negated.in(in) && !conditional.in(in) && !foreign.in(in) && !others.in(in) && !tells.in(in) {
			s = s[:at[0]] + s[at[1]:]
		}
	}
	s = thought.without(prefixed.without(greeted.without(s)))
	s = spelled.Replace(" " + s + " ")
	if m := youHave.get().FindString(s); m != "" && !speaks.in(m) && !takesBack.in(m[strings.Index(m, "you"):]) {
		s = s[len(m):]
	}
	return strings.Join(strings.Fields(s), " ")
}

// spelled parts what is joined by words that the grammar has other words for.
var spelled = strings.NewReplacer("commit+push", "commit and push", "commit/push", "commit and push", " but ", ", but ", " n ", " and ", ", but ", ", but ")

// note keeps what a sentence that orders nothing says of those that follow.
func (r *reading) note(p *piece) {
	r.review = r.review || ofReview.in(p.text) || reviewing.in(p.text)
	r.data = handling.in(lead.without(p.text))
	r.makes = r.makes || making.in(p.text) || r.steers(p.text)
	r.refers = r.refers || referring.in(p.text) && !imperative(p.text) || given.in(p.text)
}

// otherLine says whether a sentence names a line of releases, and not as what a request is to go into.
func (r *reading) otherLine(s string) bool {
	return !basing.in(lead.without(s)) && slices.ContainsFunc(clauses(s), func(c clause) bool {
		return !ofRequest.in(c.text) && !basing.in(lead.without(c.text)) && slices.ContainsFunc(strings.Fields(c.text), func(w string) bool {
			name, ok := r.names(strings.TrimRight(w, ",;:"))
			return ok && strings.HasPrefix(w, sign) && releaseLine.in(strings.ToLower(name))
		})
	})
}

// steers says whether a sentence writes a file that says what others do.
func (r *reading) steers(s string) bool {
	return steers.in(s) && slices.ContainsFunc(strings.Fields(s), func(w string) bool {
		name, ok := r.names(strings.TrimRight(w, ",;:"))
		return ok && strings.HasPrefix(w, sign) && steering.in(name)
	})
}

// unrelated says whether a sentence before any order has nothing to do with it.
func (r *reading) unrelated(p *piece) bool {
	if s := strings.TrimSpace(p.text); !p.asks && (!slices.ContainsFunc(clauses(s), func(c clause) bool { return !polite.in(c.text) }) || fine.in(s) || greeted.in(s+" ") && len(s) < 20) {
		return true
	}
	s := failedPush.get().ReplaceAllString(p.text, "it failed")
	s = reviewed.get().ReplaceAllString(s, "the feedback")
	s = checks.get().ReplaceAllString(s, "check it")
	s = strings.TrimSpace(harmless.without(s))
	if !p.asks && codes(s) {
		return true
	}
	switch {
	case p.asks && !requested.in(s) && !asksWhy.in(s), label.in(s), numberedPart.in(s), titled.in(s) && !limits.in(s) && !imperative(s),
		foreign.in(s), speaks.in(s), postpones.in(s), others.in(s), tells.in(s), rules.in(s), away.in(s), otherLine.in(s), anyFile.in(s), baseTold.in(s):
		return false
	case strings.Contains(s, ":") && !r.colon(s):
		return false
	case negated.in(s) && !r.spared(s):
		return false
	case conditional.in(s) && !fails.in(s):
		return false
	}
	return p.item && !untimely.in(s) && !timed.in(s) || p.asks && asksWhy.in(s) || imperative(s) || statement.in(s) && (!placed.in(s) || verbal.in(s)) || (verbal.in(s) || doesIt.in(s) || fragment.in(s) && ofCode.in(s) && !timed.in(s)) && !untimely.in(s)
}

// codes says whether a sentence is a change to the code that is to be made, in words that are about
// the code.
func codes(s string) bool {
	core := led.without(s)
	return coding.in(core) && !foreign.in(s) && !tells.in(s) && !otherLine.in(s) && !anyFile.in(s) && !baseTold.in(s) && !speaks.in(s) && !process.in(s) && !making.in(s) && !doers.in(s) && !strings.Contains(s, ":") && !strings.Contains(s, "?")
}

// imperative says whether a sentence begins as something to do does.
func imperative(s string) bool {
	return starts.in(lead.without(s)) || starts.in(led.without(s)) || sparing.in(lead.without(s))
}

// colon says whether what stands before a colon is what is done, or the number of a task.
func (r *reading) colon(s string) bool {
	head, _, _ := strings.Cut(s, ":")
	told := strings.Count(head, " ") > 1 && (imperative(head) || verbal.in(head) || statement.in(head) || fragment.in(head) && ofCode.in(head)) && !listing.in(head) && !making.in(head) && !doers.in(head)
	return (colonHead.in(head) || happened.in(head) || told) && !texts.in(head)
}

// spared says whether what a sentence does not want is a change to the code, or it says of the code
// what that does not do.
func (r *reading) spared(s string) bool {
	found := false
	for _, c := range clauses(s) {
		found = found || negated.in(c.text)
		if negated.in(c.text) && !sparing.in(lead.without(c.text)) && (!describing.in(c.text) || unready.in(c.text)) {
			return false
		}
	}
	return found // in one of them, and not in what joins two
}

// behind says whether a sentence behind an order leaves it as it is.
func (r *reading) behind(s string) bool {
	detailed := false
	for _, c := range clauses(detailColon.get().ReplaceAllString(s, "$1 ")) {
		if strings.Contains(c.join, "\n") || !r.leaves(c.text, detailed) {
			return false
		}
		detailed = detailed || detail.in(lead.without(c.text))
	}
	return true
}

// leaves says whether a clause behind an order leaves it as it is: it says more of the text, who
// looks at it, what is not to be done beside it, or what is done next.
func (r *reading) leaves(s string, detailed bool) bool {
	s = strings.TrimSuffix(strings.TrimSpace(s), ".")
	if foreign.in(s) {
		return false
	}
	if s == "" || polite.in(s) || done.in(s) || fine.in(s) || waits.in(s) {
		return true
	}
	bare := lead.without(s)
	if basing.in(bare) {
		name, ok := r.names(bare[strings.LastIndexByte(bare, ' ')+1:])
		if !ok || !lineOfWork.in(strings.ToLower(name)) || r.base != "" && r.base != name {
			return false
		}
		r.base = name
		return true
	}
	if r.draft = r.draft || drafted.in(s) && !notDraft.in(s); staysDraft.in(bare) {
		return true
	}
	if m := without.get().FindStringSubmatch(bare); m != nil {
		switch {
		case m[without.get().SubexpIndex("pr")] != "":
			r.not = append(r.not, PullRequest)
		case m[without.get().SubexpIndex("push")] != "":
			r.not = append(r.not, Push)
		case m[without.get().SubexpIndex("reply")] != "":
			r.not = append(r.not, Reply)
		}
		return true
	}
	if mention.in(bare) && len(s) < 60 {
		return true
	}
	if detail.in(bare) || detailed && fragment.in(s) && !ofItsOwn.in(s) {
		return !takesBack.in(s) && !elsewhere.in(s) && !beside.in(s) && (ofSent.in(s) || !partOf.in(s))
	}
	return task(s) && !beside.in(s) && (ofSent.in(s) || !partOf.in(s)) && !reshapes.in(bare) && !postpones.in(s) && !others.in(s) && !tells.in(s)
}

// ordered reads a sentence that may hold orders. ok is false where it has words that the grammar does
// not have.
func (r *reading) ordered(p *piece) (found []Order, tested, ok bool) {
	text, ok := r.withoutTexts(p.text)
	if !ok {
		return nil, false, false
	}
	s := sentence{r: r, text: text, list: clauses(text)}
	for i := range s.list {
		if !s.take(i) {
			return nil, false, false
		}
	}
	return s.found, s.tested, true
}

// withoutTexts is a sentence without a colon, and what stands before it or behind it for people: ok is
// false where the colon may mean something else.
func (r *reading) withoutTexts(s string) (rest string, ok bool) {
	if foreign.in(s) || strings.Contains(s, "...") {
		return "", false
	}
	if at := detailColon.get().FindStringIndex(s); at != nil && at[0] > len("the commit ") {
		s = detailColon.get().ReplaceAllString(s, "$1 ")
	}
	if head, text, is := strings.Cut(s, ": "); is && summing.in(head) {
		s = text
	} else if is = strings.Contains(s, ":"); is {
		head, text, _ := strings.Cut(s, ":")
		// What a reply is to say stands behind the colon.
		if last := clauses(head); len(last) == 0 || !r.replies(last[len(last)-1].text) || replyLater.in(text) {
			return "", false
		}
		s = head
	}
	return s, strings.Count(s, "(") == strings.Count(s, ")") || !strings.Contains(s, "(")
}

// sentence is what was read of such a sentence so far.
type sentence struct {
	r        *reading
	text     string
	list     []clause
	found    []Order
	tested   bool
	loose    bool // a thing to do before that the grammar does not know word for word
	last     bool // it was the last one
	several  bool // what follows may be one of the things that the last one is about
	commits  bool // the last one was a commit, or an order
	detailed bool // the last order was followed by more of its text
	told     bool // what is wrong was told of, and is to be put right
	tasks    int
}

// take takes one clause.
func (s *sentence) take(i int) bool {
	c := s.list[i]
	text, cond := condition(c.text)
	s.tested = s.tested || cond
	got, good := s.r.clause(text, s.commits || len(s.found) > 0 || written.in(s.text) || whenDone.in(c.text))
	s.r.review = s.r.review || ofReview.in(text) || reviewing.in(text)
	s.several = s.several && (!strings.Contains(c.join, "then") || strings.TrimSpace(c.join) == "then")
	switch {
	case len(got) > 0:
		return s.order(i, text, got)
	case good:
		s.last = false
	case len(s.found) > 0:
		return s.behind(text)
	case len(s.list) > i+1 && sparing.in(lead.without(text)) && inert(text):
		return true
	case task(text):
		core := lead.without(text)
		s.loose, s.last = true, !onto.in(core) && (!object.in(core) || verbs.in(core))
	case s.loose && fragment.in(text) && !ofItsOwn.in(text) && !speaks.in(text) && !takesBack.in(text) && !untimely.in(text) && !negated.in(text):
		s.several, s.last = true, true // one more thing that it is done to
		return true
	case i == 0 && len(s.list) > 1 && s.r.complained(text):
		s.told = true
		return true
	default:
		return false
	}
	s.tasks++
	s.done(text)
	return true
}

// order takes the orders of clause i, if nothing before makes them a part of something else.
func (s *sentence) order(i int, text string, got []Order) bool {
	firm := anchored.in(text) || got[len(got)-1].Kind != Push && !requestAlone.in(text)
	if s.told && s.tasks == 0 || !firm && (s.several || s.last && s.list[i].plainAnd()) || tangled(s.list[:i], s.loose) {
		return false
	}
	s.found = append(s.found, got...)
	s.commits, s.last, s.detailed = true, false, false
	return true
}

// behind takes a clause behind an order.
func (s *sentence) behind(text string) bool {
	if asDraft.in(text) {
		for i := range s.found {
			s.found[i].Draft = s.found[i].Kind == PullRequest
		}
		return true
	}
	if !s.r.leaves(text, s.detailed) {
		return false
	}
	s.detailed = s.detailed || detail.in(lead.without(text))
	return true
}

// done notes what a thing to do says of an order that may follow.
func (s *sentence) done(text string) {
	core := reviewed.get().ReplaceAllString(tail.without(lead.without(text)), "the feedback")
	if polite.in(text) || core == "" {
		if s.tasks--; core == "" {
			return
		}
	}
	s.commits = committing.in(core)
	s.several = s.several && (single.in(led.without(text)) || s.commits || single.in(core) || smallRun.in(core)) || lists(core) && !s.commits && !smallRun.in(core) && !single.in(led.without(text))
}

// complained says whether a clause tells what is wrong.
func (r *reading) complained(s string) bool {
	return describing.in(s) && !doers.in(s) && !making.in(s) && r.unrelated(&piece{text: s})
}

// tangled says whether what stands before an order makes something that may be what carries it out.
func tangled(list []clause, loose bool) bool {
	return slices.ContainsFunc(list, func(c clause) bool {
		return loose && handling.in(lead.without(c.text)) || loose && doers.in(c.text) || elsewhere.in(c.text)
	})
}

// task says whether a clause is something to do that sends nothing.
func task(s string) bool {
	if otherLine.in(s) {
		return false
	}
	s = checks.get().ReplaceAllString(s, "check it")
	s = toThing.get().ReplaceAllString(harmless.without(reviewed.get().ReplaceAllString(s, "the feedback")), " ")
	core := lead.without(s)
	if strings.TrimSpace(core) == "" {
		return true
	}
	return !strings.Contains(s, ":") && (starts.in(core) || starts.in(led.without(s))) && !speaks.in(core) && !within.in(core) && !takesBack.in(core) && !away.in(core) && !anyFile.in(core) && (!negated.in(core) || sparing.in(core))
}

// condition is a clause without the words that say when it is to be done, where these are that the
// rest is done first; tested says that tests have to have passed.
func condition(s string) (rest string, tested bool) {
	if whenGreen.in(s) {
		s, tested = strings.TrimSpace(whenGreen.without(s)), true
	}
	s = strings.TrimSpace(whenDone.without(s))
	if m := purpose.get().FindString(s); m != "" && inert(seeing.without(m)) {
		s = s[:len(s)-len(m)]
	}
	return s, tested
}

// replies says whether a clause is an order to reply to what reviewers wrote.
func (r *reading) replies(s string) bool {
	s = tail.without(lead.without(s))
	m := answersReview.get().FindStringSubmatch(s)
	return m != nil && (ofReview.in(s) || r.review) && !replyLater.in(m[answersReview.get().SubexpIndex("text")])
}

// inert says whether words beside an order have no bearing on it.
func inert(s string) bool { return !replyLater.in(s) && !takesBack.in(s) && !speaks.in(s) }

// clause takes one clause without what says when.
func (r *reading) clause(s string, with bool) (found []Order, ok bool) {
	if s == "" || done.in(s) || polite.in(s) || fine.in(s) {
		return nil, true
	}
	s = tail.without(lead.without(s))
	if s == "" || committing.in(s) || smallRun.in(s) {
		return nil, true
	}
	if m := pushes.get().FindStringSubmatch(s); m != nil {
		at := func(name string) string { return m[pushes.get().SubexpIndex(name)] }
		o := Order{Kind: Push, Branch: at("branch"), SideBranch: ownBranch.in(s)}
		if word := at("named") + at("first") + at("direct"); word != "" && word != "head" {
			name, ok := r.names(strings.TrimPrefix(strings.TrimPrefix(word, "called "), "named "))
			if !ok || !branchName.in(name) || notOwn.in(strings.ToLower(name)) || at("first") != "" && !strings.Contains(s, "branch ") && (!strings.Contains(name, "/") || strings.Contains(name, ".")) {
				return nil, false
			}
			o.Branch, o.SideBranch = name, false
		}
		return []Order{o}, true
	}
	if strings.HasPrefix(s, "pr against ") || strings.HasPrefix(s, "pr into ") {
		s = "open a " + s
	}
	if m := requests.get().FindStringSubmatch(s); m != nil {
		at := func(name string) string { return m[requests.get().SubexpIndex(name)] }
		if strings.HasPrefix(s, "open") && at("the") != "" && !with && at("on") == "" && !drafted.in(s) {
			return nil, false // "open the PR" may be to look at it
		}
		base := at("base")
		if word := at("into"); word != "" {
			name, ok := r.names(word)
			if !ok || !lineOfWork.in(strings.ToLower(name)) {
				return nil, false
			}
			base = name
		}
		o := Order{Kind: PullRequest, Branch: base, Draft: drafted.in(s) && !notDraft.in(s)}
		return []Order{{Kind: Push, SideBranch: true}, o}, true
	}
	if with && requestAlone.in(s) {
		return []Order{{Kind: Push, SideBranch: true}, {Kind: PullRequest, Draft: drafted.in(s)}}, true
	}
	if r.replies(s) {
		return []Order{{Kind: Reply}}, true
	}
	return nil, chore.in(s)
}
