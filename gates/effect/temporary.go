package effect

import "strings"

// Temporary returns what stands in a path behind a directory of the system for temporary
// files, and nothing for any other path and for that directory itself. Those are /tmp,
// where programs must not assume that anything is preserved between their invocations
// (Filesystem Hierarchy Standard 3.0, section 3.18), and on macOS /private/tmp and the T of
// each user below /var/folders (hier(7); confstr(3), _CS_DARWIN_USER_TEMP_DIR). What
// /var/tmp holds is preserved between reboots (section 5.15), and /dev/shm is the memory
// of running programs.
func Temporary(path string) string {
	for _, dir := range [...]string{"/tmp/", "/private/tmp/"} {
		if below, ok := strings.CutPrefix(path, dir); ok {
			return below
		}
	}
	if below, ok := strings.CutPrefix(strings.TrimPrefix(path, "/private"), "/var/folders/"); ok {
		if parts := strings.SplitN(below, "/", 4); len(parts) == 4 && parts[2] == "T" {
			return parts[3]
		}
	}
	return ""
}
