package origin

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

// mayDate is a cheap test that most leaves fail: every result that an agent
// sees goes through it.
func mayDate(s string) bool {
	if len(s) < 5 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	for i := 0; i+3 <= len(s); i++ {
		if i > 0 && alnum(s[i-1]) { // inside a word
			continue
		}
		// Setting the bit 0x20 turns upper case to lower and makes a letter of
		// nothing else.
		switch uint32(s[i]|0x20)<<16 | uint32(s[i+1]|0x20)<<8 | uint32(s[i+2]|0x20) {
		case 'j'<<16 | 'a'<<8 | 'n', 'f'<<16 | 'e'<<8 | 'b', 'm'<<16 | 'a'<<8 | 'r', 'a'<<16 | 'p'<<8 | 'r',
			'm'<<16 | 'a'<<8 | 'y', 'j'<<16 | 'u'<<8 | 'n', 'j'<<16 | 'u'<<8 | 'l', 'a'<<16 | 'u'<<8 | 'g',
			's'<<16 | 'e'<<8 | 'p', 'o'<<16 | 'c'<<8 | 't', 'n'<<16 | 'o'<<8 | 'v', 'd'<<16 | 'e'<<8 | 'c':
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
