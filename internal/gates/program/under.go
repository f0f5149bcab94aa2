package program

import "github.com/gbt-policy/gbt/internal/gates/mark"

// IsUnder is operation Under: it says whether a clean path is dir or lies below it. Nothing lies
// below the empty path.
func IsUnder(path, dir string) bool {
	return dir != "" && mark.Under(path, dir)
}

// IsDomainUnder is operation DomainUnder: it says whether a host in canonical form is domain or one of its
// subdomains. Nothing lies below the empty name.
func IsDomainUnder(host, domain string) bool {
	at := len(host) - len(domain)
	return domain != "" && at >= 0 && host[at:] == domain && (at == 0 || host[at-1] == '.')
}
