package constraint

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Check says what is wrong with a rule's form, whoever made it. All that Compile makes
// passes (FuzzCompile). No form of a rule lets a call pass: a rule rejects or asks.
func (r *Rule) Check() error {
	switch {
	case !slices.Contains(All, r.Does):
		return errors.New(strconv.Quote(r.Does) + " is nothing that a rule is about: " + strings.Join(All, ", "))
	case strings.TrimSpace(r.Text) == "":
		return errors.New("a rule has the words that it was made of")
	case r.Path != "" && r.Does != "delete" && r.Does != "change":
		return errors.New("only rules about delete and change have a path")
	case r.Path != path.Clean(r.Path) && r.Path != "" || strings.ContainsFunc(r.Path, func(c rune) bool { return !unicode.IsGraphic(c) }):
		return errors.New("the path is not written plainly")
	case r.Only && r.Path == "":
		return errors.New("anything but what? only needs a path")
	case r.Most != "" && r.Does != "spend":
		return errors.New("only rules about spend have an amount")
	case r.Most != "" && !amountRE.MatchString(r.Most):
		return errors.New("the amount is no plain number")
	}
	return nil
}

var (
	amountRE   = regexp.MustCompile(`^\d+(?:\.\d+)?$`)
	numberRE   = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	consentsRE = regexp.MustCompile(`(?i)\b(?:ask(?:s|ed|ing)?|confirm\w*|approv\w*|permission|consent|okay|sign[- ]?off|check(?:ing)? with)\b`)
)

// Grounded says why a rule that somebody proposes for a sentence would bound less than
// its words, or names what they do not: asking where they forbid, an amount above theirs,
// another path. Compile's own rules need no such check.
func (r *Rule) Grounded(sentence string) error {
	paths := named(sentence)
	switch {
	case r.Asks && !consentsRE.MatchString(sentence):
		return errors.New("the sentence speaks of no consent, and asking is less than to reject")
	case r.Path != "" && !slices.Contains(paths, r.Path):
		return errors.New("the sentence names no " + r.Path)
	case r.Only && len(paths) != 1:
		return errors.New("the sentence names several paths, and of several each rule would forbid the others")
	case r.Path != "" && !r.Only && onlyRE.MatchString(sentence):
		return errors.New("the sentence says only, and the rule forbids what it names")
	case r.Most != "" && !least(r.Most, sentence):
		return errors.New("the amount is not the smallest one of the sentence")
	}
	return nil
}

// least says whether an amount is the smallest of a sentence: of those with a currency,
// else the only number.
func least(amount, sentence string) bool {
	n, err := strconv.ParseFloat(amount, 64)
	var money, all []float64
	for _, m := range moneyRE.FindAllStringSubmatch(sentence, -1) {
		if m[1] != "" || m[3] != "" {
			money = append(money, number(m[2]))
		}
	}
	for _, m := range numberRE.FindAllString(sentence, -1) {
		all = append(all, number(m))
	}
	if len(money) == 0 && len(all) == 1 {
		money = all
	}
	return err == nil && len(money) > 0 && n == slices.Min(money)
}

// number reads digits with commas; what is none is below every amount.
func number(s string) float64 {
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		return -1
	}
	return n
}
