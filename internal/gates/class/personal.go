package class

import "strings"

// severalContacts is how many addresses and telephone numbers make a text one
// about people: one or two sign a letter or name an author.
const severalContacts = 3

// personal says whether a text holds a payment card, an account, a social
// security number, or the addresses and telephone numbers of several people.
func personal(text string) bool {
	contacts := map[string]bool{}
	for i := range len(text) {
		if i > 0 && alnum(text[i-1]) && text[i] != '@' {
			continue
		}
		switch c := text[i]; {
		case digit(c):
			if cardNumber(text, i) || socialSecurity(text, i) {
				return true
			}
		case c >= 'A' && c <= 'Z':
			if accountNumber(text, i) {
				return true
			}
		case c == '+':
			if n := telephone(text, i); n != "" {
				contacts[n] = true
			}
		case c == '@':
			if a := mailAddress(text, i); a != "" {
				contacts[a] = true
			}
		}
		if len(contacts) >= severalContacts {
			return true
		}
	}
	return false
}

// digitsAt reads at most limit digits, with at most gap signs between two of them,
// and says where they end.
func digitsAt(text string, i int, signs string, gap, limit int) (digits string, end int) {
	var out [32]byte
	n := 0
	end = i
	for k := i; k < len(text) && n < limit && k-end <= gap; k++ {
		if c := text[k]; digit(c) {
			out[n] = c
			n++
			end = k + 1
		} else if strings.IndexByte(signs, c) < 0 {
			break
		}
	}
	return string(out[:n]), end
}

// ends says whether no word and no number goes on at i.
func ends(text string, i int) bool {
	return i >= len(text) || !alnum(text[i]) && text[i] != '_' && !(text[i] == '-' || text[i] == '.') ||
		i+1 >= len(text) || !alnum(text[i]) && text[i] != '_' && !alnum(text[i+1])
}

// begins says whether no word and no number goes on before i.
func begins(text string, i int) bool {
	return i == 0 || !alnum(text[i-1]) && strings.IndexByte("_.-", text[i-1]) < 0
}

// cardNumber finds a payment card: a number of a card network's range and
// length (ISO/IEC 7812-1) whose check digit is right (its annex B). One of few
// different digits is a test number.
func cardNumber(text string, i int) bool {
	n, end := digitsAt(text, i, " -", 1, 19)
	if !begins(text, i) || !ends(text, end) || !cardRange(n) {
		return false
	}
	var seen [10]bool
	sum, different := 0, 0
	for k := range len(n) {
		d := int(n[len(n)-1-k] - '0')
		if !seen[d] {
			seen[d] = true
			different++
		}
		if k%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && different >= 4
}

func cardRange(n string) bool {
	switch len(n) {
	case 15:
		return n[:2] == "34" || n[:2] == "37"
	case 16:
		return n[0] == '4' || n[:2] >= "51" && n[:2] <= "55" || n[:4] >= "2221" && n[:4] <= "2720" || n[:4] == "6011" || n[:2] == "65"
	}
	return false
}

// socialSecurity finds a social security number of the United States, with the
// ranges that are never assigned left out (SSA, POMS RM 10201.035).
func socialSecurity(text string, i int) bool {
	if len(text) < i+11 || text[i+3] != '-' || text[i+6] != '-' || !begins(text, i) || !ends(text, i+11) {
		return false
	}
	area, group, serial := text[i:i+3], text[i+4:i+6], text[i+7:i+11]
	for _, part := range [...]string{area, group, serial} {
		if strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}

// accountNumber finds an IBAN: two letters, two digits and up to 30 more signs,
// in groups or not, whose remainder by 97 is 1 (ISO 13616-1, ISO/IEC 7064).
func accountNumber(text string, i int) bool {
	if len(text) < i+15 || !begins(text, i) || text[i+1] < 'A' || text[i+1] > 'Z' || !digit(text[i+2]) || !digit(text[i+3]) {
		return false
	}
	var out [34]byte
	n, end, digits := 0, i, 0
	for ; end < len(text) && n < len(out); end++ {
		c := text[end]
		if c == ' ' && n%4 == 0 && end+1 < len(text) && (digit(text[end+1]) || text[end+1] >= 'A' && text[end+1] <= 'Z') {
			continue
		}
		if !digit(c) && (c < 'A' || c > 'Z') {
			break
		}
		if digit(c) {
			digits++
		}
		out[n] = c
		n++
	}
	if n < 15 || digits < 8 || !ends(text, end) {
		return false
	}
	rest := 0
	for k := range n {
		c := out[(k+4)%n]
		if digit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// telephone reads an international number (ITU-T E.164: a plus sign, at most 15
// digits) and returns its digits.
func telephone(text string, i int) string {
	if i+1 >= len(text) || text[i+1] < '1' || text[i+1] > '9' {
		return ""
	}
	n, end := digitsAt(text, i+1, " -.()", 2, 16)
	if len(n) < 8 || len(n) > 15 || !ends(text, end) {
		return ""
	}
	return n
}

// mailAddress reads the address around an at sign (RFC 5322, addr-spec, with the
// lengths of RFC 5321, 4.5.3.1). Domains kept for examples have none (RFC 2606).
func mailAddress(text string, at int) string {
	start := at
	for start > 0 && at-start < 64 && (alnum(text[start-1]) || strings.IndexByte("._%+-", text[start-1]) >= 0) {
		start--
	}
	end := at + 1
	for end < len(text) && end-at < 255 && (alnum(text[end]) || text[end] == '-' || text[end] == '.') {
		end++
	}
	for end > at+1 && !alnum(text[end-1]) { // the end of a sentence
		end--
	}
	dot := at + 1 + strings.LastIndexByte(text[at+1:end], '.')
	if start == at || dot <= at+1 || end-dot < 3 || strings.ContainsAny(text[dot:end], "0123456789-") {
		return ""
	}
	domain := strings.ToLower(text[at+1 : end])
	for _, kept := range [...]string{"example", "example.com", "example.net", "example.org", "invalid", "localhost", "test"} {
		if domain == kept || strings.HasSuffix(domain, "."+kept) {
			return ""
		}
	}
	return strings.ToLower(text[start:at]) + "@" + domain
}
