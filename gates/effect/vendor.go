package effect

// Vendor is the company whose cloud a program works with, by the login that its user gave it: such as
// Amazon for aws. It is empty for every other program.
func Vendor(program string) string {
	switch program {
	case "aws":
		return "Amazon"
	case "az":
		return "Microsoft"
	case "gcloud", "gsutil":
		return "Google"
	}
	return ""
}
