package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// connects says whether a setting of ssh, NAME=VALUE or "NAME VALUE", only says how the connection
// is made, how long is waited, and what is said of it (ssh_config(5)). What names a program, a file
// or another machine, lets the other side reach this one, and takes a key that nobody knows, is not
// among them, and nor are names that are not listed here.
func connects(setting string) bool {
	name, value, ok := cutAt(strings.ToLower(setting), "=")
	if !ok {
		name, value, _ = cutAt(name, " ")
	}
	switch {
	case mark.Among(sshNumbers, name):
		return value != "" && len(value) < 6 && strings.Trim(value, "0123456789") == ""
	case mark.Among(sshTruths, name) && (value == "yes" || value == "no"):
		return true
	case name == "preferredauthentications":
		return value != "" && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz-,") == ""
	}
	return mark.Among(sshWords, name+"="+value)
}

// Settings of ssh that are numbers, that are yes or no whatever they say, and others with their
// values (ssh_config(5)). Sorted.
const (
	sshNumbers = "connectionattempts connecttimeout numberofpasswordprompts serveralivecountmax serveraliveinterval"
	sshTruths  = "batchmode compression exitonforwardfailure gssapiauthentication identitiesonly kbdinteractiveauthentication passwordauthentication pubkeyauthentication stdinnull tcpkeepalive visualhostkey"
	sshWords   = "addressfamily=any addressfamily=inet addressfamily=inet6 clearallforwardings=yes controlmaster=no controlpath=none escapechar=none forwardagent=no forwardx11=no forwardx11trusted=no " +
		"loglevel=debug loglevel=error loglevel=fatal loglevel=info loglevel=quiet loglevel=verbose permitlocalcommand=no requesttty=auto requesttty=force requesttty=no requesttty=yes stricthostkeychecking=yes tunnel=no updatehostkeys=no"
)
