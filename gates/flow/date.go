package flow

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Dates are written in many ways in text and in one way in arguments
// (ISO 8601, YYYY-MM-DD). A text that says "from the 1st to the 5th of May 2024"
// names 2024-05-01 and 2024-05-05.

// months are the English names and their usual short forms, by their first
// three letters.
var months = [...]struct{ short, long string }{
	{"jan", "january"}, {"feb", "february"}, {"mar", "march"}, {"apr", "april"}, {"may", "may"}, {"jun", "june"},
	{"jul", "july"}, {"aug", "august"}, {"sep", "september"}, {"oct", "october"}, {"nov", "november"}, {"dec", "december"},
}

// monthOf returns the number of a month's name, 0 for another word.
func monthOf(w string) int {
	for i, m := range months {
		if w == m.short || w == m.long || w == "sept" && m.short == "sep" {
			return i + 1
		}
	}
	return 0
}

// maxDates bounds the dates of one text, dateReach the words between a month
// and its days: "the 1st to the 5th of May".
const (
	maxDates  = 64
	dateReach = 5
)

// dates returns the dates that a text names with a month's name, as YYYY-MM-DD,
// or --MM-DD where it gives no year.
func dates(s string) []string {
	if !mayDate(s) {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var out []string
	for i, w := range words {
		m := monthOf(w)
		if m == 0 || len(out) >= maxDates {
			continue
		}
		for _, d := range days(words, i) {
			if date := fmt.Sprintf("%s-%02d-%02d", yearNear(words, i), m, d); !slices.Contains(out, date) {
				out = append(out, date)
			}
		}
	}
	return out
}

// mayDate is a cheap test that most leaves fail.
func mayDate(s string) bool {
	if !strings.ContainsAny(s, "0123456789") || len(s) < 5 {
		return false
	}
	for i := range months {
		if containsFold(s, months[i].short) {
			return true
		}
	}
	return false
}

func containsFold(s, lower string) bool {
	for i := 0; i+len(lower) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// days are the numbers before and after a month's name that can be its days, as
// far as nothing but connecting words stands between.
func days(words []string, month int) []int {
	var out []int
	for i := month - 1; i >= 0 && i >= month-dateReach && joins(words[i]); i-- {
		if d := dayOf(words[i]); d > 0 {
			out = append(out, d)
		}
	}
	for i := month + 1; i < len(words) && i <= month+dateReach && joins(words[i]); i++ {
		if d := dayOf(words[i]); d > 0 {
			out = append(out, d)
		}
	}
	return out
}

// joins says whether a word may stand between a month and its days.
func joins(w string) bool {
	switch w {
	case "the", "of", "to", "and", "until", "till", "through", "or", "from", "on":
		return true
	}
	return dayOf(w) > 0
}

// dayOf reads 1, 01, 1st, 22nd; 0 is no day.
func dayOf(w string) int {
	n := 0
	digits := strings.TrimRight(w, "stndrh")
	if len(digits) == 0 || len(digits) > 2 || len(w)-len(digits) > 2 {
		return 0
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	if n > 31 {
		return 0
	}
	return n
}

// yearNear is the year behind a month's name, its days, and further days and
// months: "January 11th to January 15th 2025".
func yearNear(words []string, month int) string {
	for i := month + 1; i < len(words) && i <= month+2*dateReach; i++ {
		w := words[i]
		if len(w) == 4 && strings.Trim(w, "0123456789") == "" && (w[:2] == "19" || w[:2] == "20") {
			return w
		}
		if !joins(w) && monthOf(w) == 0 {
			break
		}
	}
	return "-"
}

// yearless turns YYYY-MM-DD into --MM-DD, and anything else into nothing.
func yearless(v string) string {
	if len(v) != len("2006-01-02") || v[4] != '-' || v[7] != '-' || strings.Trim(v, "0123456789-") != "" {
		return ""
	}
	return "-" + v[4:]
}
