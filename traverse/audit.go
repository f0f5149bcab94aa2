package traverse

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// audit is the static, model-free check that a plan covers its task (H3; 000
// §A.1): every file that the task names, tests if it asks for any, and a
// rejection or safety clause if it has one, must appear in a completion check.
// It returns what does not. A description is no check.
func audit(t *Task) []string {
	var checks strings.Builder
	for _, c := range t.Checks {
		checks.WriteString(strings.ToLower(c.ID + " " + c.Text + "\n"))
	}
	covered := checks.String()
	var out []string
	words := strings.FieldsFunc(strings.ToLower(t.Text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/", r)
	})
	tests, clause := false, false
	for _, w := range words {
		w = strings.Trim(w, ".-/")
		base := path.Base(w)
		if isFile(base) && !strings.Contains(covered, base) {
			out = append(out, "file:"+base)
		}
		tests = tests || slices.Contains(testWords[:], w) || strings.HasPrefix(base, "test_")
		clause = clause || slices.Contains(clauseWords[:], w)
	}
	if tests && !strings.Contains(covered, "test") {
		out = append(out, "tests")
	}
	if clause && !slices.ContainsFunc(clauseChecks[:], func(w string) bool { return strings.Contains(covered, w) }) {
		out = append(out, "rejection")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The words of the audit. Clauses and what covers them are those of 000 §A.1;
// its only file names end in .py, here in the common endings of text, code and
// data.
var (
	testWords    = [...]string{"pytest", "test", "tests", "unittest", "unittests"}
	clauseWords  = [...]string{"attack", "attacks", "escape", "escapes", "raise", "raises", "reject", "rejects", "rejected", "safe", "safely"}
	clauseChecks = [...]string{"raises", "reject", "safe", "valueerror", "assert"}
	endings      = [...]string{".c", ".cc", ".cfg", ".cpp", ".css", ".csv", ".go", ".h", ".html", ".ini", ".ipynb", ".java", ".js", ".json", ".jsonl",
		".jsx", ".md", ".parquet", ".pdf", ".php", ".py", ".rb", ".rs", ".rst", ".sh", ".sql", ".toml", ".ts", ".tsx", ".txt", ".xml", ".yaml", ".yml"}
)

func isFile(base string) bool {
	ext := path.Ext(base)
	return len(base) > len(ext) && slices.Contains(endings[:], ext)
}
