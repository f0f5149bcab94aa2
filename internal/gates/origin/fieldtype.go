package origin

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// leadingKeys are the last words of keys whose values lead to somebody or
// somewhere: an address, a link, a number to pay or to call. A value that leads
// somewhere below any other key (a nickname, a vendor's name, a status) is not of
// the field's type: whoever chose the words there chose where they lead. The words
// are those of mail, chat, calendar, bank, shop and user APIs. Sorted.
const leadingKeys = "account accounts addr address addresses admin agent applicant approver assignee assignees at attendee attendees author authors avatar bcc beneficiary buyer by calendar " +
	"callback cc cell channel client clients collaborators contact contacts contract correspondent creator creditor customer debtor download editor editors email emails employee " +
	"employees employer endpoint fax feed friend friends from guest guests handle homepage host hosts href iban icon id identifier ids image invitee invitees key lead link links " +
	"location login logo mail mails manager managers member members mobile next number numbers organizer origin owner owners page participant participants patient payee payer " +
	"people permalink phone phones photo picture prev previous receiver recipient recipients redirect remote repo reporter repository requester respondent reviewer reviewers room " +
	"self seller sender senders server site source speaker speakers src student students submitter subscriber subscribers supplier target teacher teachers tel telephone tenant " +
	"thumbnail to uri uris url urls user username users viewers visitors wallet watchers web webhook website with"

// mistyped says whether a value leads somewhere though its key does not say so. A
// key that is data, or none, says nothing.
func mistyped(key, value string) bool {
	if key == "" || !leads(value) {
		return false
	}
	words := call.Words(key)
	if len(words) == 0 {
		return false
	}
	found := mark.Among(leadingKeys, words[len(words)-1])
	return !found
}

// leads says whether a value is an address, a link, a bank account, a wallet or a
// telephone number and nothing else. A bare host is not told from a file's name,
// nor an account without check digits from any number.
func leads(value string) bool {
	v := strings.TrimSpace(undress(value))
	if v == "" || strings.IndexFunc(v, notInName) >= 0 {
		return iban(v) || phone(v)
	}
	if strings.HasPrefix(v, "www.") || strings.Contains(v, "://") {
		return true
	}
	at := strings.LastIndexByte(v, '@')
	return at > 0 && strings.IndexByte(v[at:], '.') > 0 || iban(v) || phone(v) || wallet(v)
}

// phone says whether a value is a telephone number with its country: ITU-T E.164,
// section 6, and E.123 for the signs between its digits.
func phone(v string) bool {
	digits := strings.NewReplacer(" ", "", "-", "", ".", "", "(", "", ")", "", "/", "").Replace(strings.TrimPrefix(v, "+"))
	return strings.HasPrefix(v, "+") && len(digits) >= 7 && len(digits) <= 15 && strings.Trim(digits, "0123456789") == ""
}

// wallet says whether a value is an Ethereum address: EIP-55, 20 bytes in
// hexadecimal.
func wallet(v string) bool {
	digits, ok := strings.CutPrefix(v, "0x")
	return ok && len(digits) == 40 && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// Lengths of account numbers: ISO 13616-1, section 5; the shortest is Norway's.
const minIBAN, maxIBAN = 15, 34

// iban says whether a value is an account number with the right check digits: ISO
// 13616-1, with the sum of ISO/IEC 7064 (MOD 97-10). Blanks between groups do not
// matter.
func iban(value string) bool {
	v := strings.ToUpper(strings.ReplaceAll(value, " ", ""))
	if len(v) < minIBAN || len(v) > maxIBAN {
		return false
	}
	sum := 0
	for i, c := range []byte(v[4:] + v[:4]) {
		letter, country := c >= 'A' && c <= 'Z', i >= len(v)-4 && i < len(v)-2
		check := i >= len(v)-2
		switch {
		case letter && !check:
			sum = (sum*100 + int(c-'A') + 10) % 97
		case c >= '0' && c <= '9' && !country:
			sum = (sum*10 + int(c-'0')) % 97
		default:
			return false
		}
	}
	return sum == 1
}
