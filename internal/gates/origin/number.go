package origin

import (
	"slices"
	"strconv"
	"strings"
)

// How an amount compares with the numbers that the task names. Empty for what has
// no digit.
const (
	NumberNone  = "none"  // the task names none
	NumberSame  = "same"  // it names this one
	NumberSum   = "sum"   // this is the sum of all that it names, or the sum or the difference of two
	NumberLess  = "less"  // less than all that it names
	NumberMore  = "more"  // more than all that it names
	NumberOther = "other" // between them
	// NumberUnread is of an amount that cannot be read: too large, too fine, with
	// words or in another notation. It may be any.
	NumberUnread = "unread"
)

// Number says how a number compares with those of the task. The task's years are
// no amounts, nor are its dates, times and ids.
func (x *Index) Number(value string) string {
	n, ok := amount(strings.TrimSpace(value))
	switch {
	case !ok && strings.ContainsAny(value, "0123456789"):
		return NumberUnread
	case !ok:
		return ""
	}
	told := x.amounts()
	switch {
	case x.inTask(strings.TrimSpace(value)) || slices.Contains(told, n):
		return NumberSame
	case len(told) == 0:
		return NumberNone
	case sum(told, n):
		return NumberSum
	case n < told[0]:
		return NumberLess
	case n > told[len(told)-1]:
		return NumberMore
	}
	return NumberOther
}

// maxAmounts bounds the numbers of a task that are compared.
const maxAmounts = 64

// amounts are the numbers that the task names, sorted, each once.
func (x *Index) amounts() []int64 {
	var out []int64
	for _, t := range x.task {
		for w := range strings.FieldsSeq(string(t)) {
			if n, ok := amount(strings.Trim(w, ".,;:!?()[]\"'")); ok && !year(n) && len(out) < maxAmounts {
				out = append(out, n)
				for k := len(out) - 1; k > 0 && out[k-1] > n; k-- { // no sort, for the size of programs
					out[k-1], out[k] = n, out[k-1]
				}
			}
		}
	}
	return slices.Compact(out)
}

// sum says whether n is the sum of all numbers of a list, or the sum or the
// difference of two.
func sum(list []int64, n int64) bool {
	var all int64
	for i, a := range list {
		all += a
		for _, b := range list[:i] {
			if n == a+b || n == a-b {
				return true
			}
		}
	}
	return len(list) > 1 && n == all
}

// unit is one in the whole numbers that amounts are compared in: four decimals
// are what currencies and shares have at most (ISO 4217).
const unit = 10_000

// maxAmount keeps sums of maxAmounts numbers within 64 bits.
const maxAmount = 1_000_000_000_000

// year says whether a number is more likely a year.
func year(n int64) bool { return n%unit == 0 && n/unit >= 1900 && n/unit < 2100 }

// amount reads a number with up to four decimals, with a currency sign before or
// behind it, thousands parted by commas or not.
func amount(w string) (int64, bool) {
	w = strings.Trim(w, "$€£¥")
	whole, part, _ := strings.Cut(w, ".")
	if strings.Contains(whole, ",") {
		groups := strings.Split(whole, ",")
		for i, g := range groups {
			if len(g) > 3 || i > 0 && len(g) != 3 {
				return 0, false
			}
		}
		whole = strings.Join(groups, "")
	}
	part = strings.TrimRight(part, "0")
	if whole == "" || len(part) > 4 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n >= maxAmount {
		return 0, false
	}
	d, _ := strconv.ParseInt((part + "0000")[:4], 10, 64)
	return n*unit + d, true
}
