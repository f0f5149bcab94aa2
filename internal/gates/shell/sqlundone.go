package shell

import "strings"

// This file judges statements for PostgreSQL that are taken back as soon as they are carried out. One
// argument of psql -c is sent as one message, which ends with its last statement, or where one fails:
// then all of it is taken back (PostgreSQL's manual, 53.2.2.1, and psql, -c).

// undoable are the statements that a transaction takes back as a whole, by their first words, and what
// they are about. What works outside of transactions is none of them, nor what only commits.
const undoable = "alter-index alter-table alter-view create-index create-materialized create-table create-temp create-temporary create-unique create-unlogged create-view delete-from drop-index drop-materialized drop-table drop-view insert-into update"

// psqlUndone says whether a text of several statements begins a transaction, takes it back at its end
// and holds nothing between that lasts all the same: functions that are not known, sequences, what is
// done concurrently, and another end of the transaction.
func psqlUndone(text string) bool {
	text = strings.ReplaceAll(text, "::", " ")
	if strings.ContainsAny(text, "$\\\"`") || strings.Count(text, "'")%2 != 0 {
		return false
	}
	var list []string
	start, quoted := 0, false
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && text[i] == '\'':
			quoted = !quoted
		case i < len(text) && text[i] == ':' && !quoted:
			return false // psql puts the text of a variable there, which may hold several statements
		case i == len(text) || text[i] == ';' && !quoted:
			if s := strings.ToLower(strings.TrimSpace(text[start:i])); s != "" {
				list = append(list, s)
			}
			start = i + 1
		}
	}
	if len(list) < 3 || !hasWord("begin start-transaction", strings.ReplaceAll(list[0], " ", "-")) || list[len(list)-1] != "rollback" {
		return false
	}
	for _, s := range list[1 : len(list)-1] {
		words := strings.Fields(s)
		if first := words[0]; hasWord("explain select table values with", first) {
			if !SQLReads(s) {
				return false
			}
			continue
		} else if len(words) < 2 || !hasWord(undoable, first) && !hasWord(undoable, first+"-"+words[1]) || strings.Contains(s, "concurrently") || !sqliteAdds(s, true) {
			return false
		}
	}
	return true
}
