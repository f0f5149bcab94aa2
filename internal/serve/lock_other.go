//go:build !unix

package serve

func safeFolder(string) error { return nil }

// Other systems have neither file locks of this kind nor a umask; a socket that
// is there is left alone.
func lock(string) (unlock func(), err error) { return func() {}, nil }

func private() (restore func()) { return func() {} }

func refused(error) bool { return false }
