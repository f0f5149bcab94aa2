package call

// Doubt says why two readers could take arguments for different ones, or nothing.
// Read asks the same and never approves such a call; front ends that have to
// answer before there is one ask here. What is no JSON is not in doubt: it cannot
// be read at all.
func Doubt(args []byte) string {
	d := parseDocument(args)
	return d.doubt
}
