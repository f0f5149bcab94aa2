package gates_test

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestSSHSettings: a setting of ssh that only says how the connection is made adds no question to the
// login's own; every other does.
func TestSSHSettings(t *testing.T) {
	for set, adds := range map[string]bool{
		"-o ConnectTimeout=10 -o BatchMode=yes": false, "-oConnectTimeout=5": false, "-o 'ConnectTimeout 5'": false, "-o connecttimeout=5": false,
		"-o ServerAliveInterval=30 -o ServerAliveCountMax=3": false, "-o LogLevel=ERROR": false, "-o AddressFamily=inet": false, "-o IdentitiesOnly=yes": false,
		"-o PreferredAuthentications=publickey,password": false, "-o RequestTTY=no": false, "-o StrictHostKeyChecking=yes": false, "-o ForwardAgent=no": false, "-e none": false,
		"-o PermitLocalCommand=no": false, "-o ControlPath=none": false, "-qTn -o Compression=yes": false,

		"-o ProxyCommand=x": true, "-o 'ProxyCommand x'": true, "-oProxyCommand=x": true, "-o proxycommand=x": true, "-o ProxyJump=h": true, "-o LocalCommand=x": true, "-o PermitLocalCommand=yes": true,
		"-o ControlPath=/tmp/x": true, "-o ControlMaster=auto": true, "-o Include=/tmp/c": true, "-o UserKnownHostsFile=/dev/null": true, "-o IdentityFile=/tmp/k": true,
		"-o StrictHostKeyChecking=no": true, "-o StrictHostKeyChecking=accept-new": true, "-o SendEnv=TOKEN": true, "-o SetEnv=A=b": true, "-o RemoteForward=1:localhost:2": true,
		"-o LocalForward=1:h:2": true, "-o DynamicForward=1": true, "-o ForwardAgent=yes": true, "-o ForwardX11=yes": true, "-o Tunnel=yes": true, "-o PKCS11Provider=/tmp/x.so": true,
		"-o SecurityKeyProvider=/tmp/x.so": true, "-o KnownHostsCommand=x": true, "-o RemoteCommand=x": true, "-o Hostname=evil.example": true, "-o User=root": true, "-o XAuthLocation=/tmp/x": true,
		"-o IdentityAgent=/tmp/s": true, "-o UpdateHostKeys=yes": true, "-o Ciphers=none": true, "-o 'BatchMode=yes\nProxyCommand=x'": true, "-o 'BatchMode=yes ProxyCommand=x'": true,
		"-o \"ConnectTimeout=$X\"": true, "-o ConnectTimeout=": true, "-o ConnectTimeout": true, "-o BatchMode=yes -o ProxyCommand=x": true, "-o LogLevel=/tmp/x": true, "-F /tmp/c": true,
		"-o PreferredAuthentications=publickey -I /tmp/x.so": true, "-o EscapeChar=x": true, "-o BatchMode": true, "-o =": true, "-o ' BatchMode=yes'": true, "-o Match=exec": true,
	} {
		c := gates.ShellContext("ssh "+set+" h.example ls", gates.State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u"})
		got := slices.ContainsFunc(c.Effects, func(e effect.Effect) bool {
			return e.Kind == effect.Spawn && e.Op == effect.OpEscape || e.Kind == effect.Setting || e.Kind == effect.Read || e.Kind == effect.Write
		})
		if got != adds {
			t.Errorf("ssh %s: adds %v: %+v", set, got, c.Effects)
		}
		if d := (&gates.Checker{}).Check(&c, nil); d.Disposition == gates.Approved {
			t.Errorf("ssh %s: passes", set)
		}
	}
}
