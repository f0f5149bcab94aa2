package names

import "strings"

// SecretVariable says whether an environment variable's name says that it
// holds a secret.
func SecretVariable(name string) bool {
	return containsOne(strings.ToUpper(name), lists().variableParts)
}

// SecretVariablePart says whether a word, in upper case, is a part of the name
// of a well-known variable that holds a key.
func SecretVariablePart(word string) bool {
	for _, v := range lists().variables {
		if strings.Contains(v, word) {
			return true
		}
	}
	return false
}

// SecretTool says whether the words of a tool's name, in lower case, say that it
// reads secrets: of a vault, a password manager, a cloud's secret store.
func SecretTool(words []string) bool {
	for _, w := range words {
		if used(strings.TrimSuffix(w, "s"), toolWord) {
			return true
		}
	}
	return containsOne(strings.Join(words, " "), lists().toolPhrases)
}

// SecretArgument says whether an argument of an unknown tool sets a secret by
// its name.
func SecretArgument(name string) bool { return used(name, argument) }

// SecretKey says whether the words of a name, in lower case, say that what is
// written behind it is a secret, which no log shows. It errs on the side of
// hiding: no decision rests on it.
func SecretKey(words []string) bool {
	for _, w := range words {
		if used(w, keyWord) {
			return true
		}
	}
	return containsOne(strings.Join(words, ""), lists().keyParts)
}

// SecretHeaders are the last words of the names of headers that hold secrets.
func SecretHeaders() []string { return namesOf(header) }

// SecretResource says whether a type of resource, in lower case, is one of
// secrets: secret, secrets, secrets/NAME.
func SecretResource(kind string) bool {
	for _, r := range lists().resources {
		if strings.HasPrefix(kind, r) {
			return true
		}
	}
	return false
}

// SecretTable says whether a word of a statement, in lower case, names a table
// or a column of a database's accounts.
func SecretTable(word string) bool { return used(word, table) }

func containsOne(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
