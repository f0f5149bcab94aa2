package scope_test

import "testing"

// TestLooksThere: a yes to a look at another machine is for looks at it by the same login, and
// for files in the places that were agreed to.
func TestLooksThere(t *testing.T) {
	for agreed, others := range map[string]map[string]bool{
		"ssh h.example ls": {
			"ssh h.example 'ls -la /srv && df -h'":                        true,
			"ssh h.example uptime | tail -1":                              true,
			"ssh h.example 'ps aux | grep node | head'":                   true,
			"ssh h.example find /srv -maxdepth 2":                         false,
			"ssh h.example 'cat /var/log/app/x.log'":                      false,
			"ssh h.example 'ls; rm -rf /srv'":                             false,
			"ssh h.example 'ls > /etc/cron.d/x'":                          false,
			"ssh h.example 'ls $(rm -rf /srv)'":                           false,
			"ssh h.example \"ls $X\"":                                     false,
			"ssh h.example 'find /srv -delete'":                           false,
			"ssh h.example 'find /srv -exec sh {} +'":                     false,
			"ssh h.example ./ls":                                          false,
			"ssh h.example 'PATH=/tmp ls'":                                false,
			"ssh h.example 'sudo ls'":                                     false,
			"ssh h.example 'ls; systemctl restart app'":                   false,
			"ssh h.example 'ps auxe'":                                     false,
			"ssh h.example env":                                           false,
			"ssh h.example 'git log'":                                     false,
			"ssh h.example 'hostname evil'":                               false,
			"ssh h.example 'date -s 2020-01-01'":                          false,
			"ssh h.example":                                               false,
			"ssh i.example ls":                                            false,
			"ssh root@h.example ls -l":                                    false,
			"ssh -A h.example ls -l":                                      false,
			"ssh -p 2222 h.example ls -l":                                 false,
			"ssh h.example -p 2222 ls -l":                                 false,
			"ssh -o ProxyCommand=x h.example ls -l":                       false,
			"ssh -F /tmp/c h.example ls -l":                               false,
			"ssh -R 8080:localhost:80 h.example ls -l":                    false,
			"ssh -J j.example h.example ls -l":                            false,
			"ssh h.example 'ls ~/.ssh'":                                   false,
			"ssh h.example cat < src/a":                                   false,
			"cat src/a | ssh h.example wc":                                false,
			"ssh h.example 'ls' && ssh h.example 'rm x'":                  false,
			"DISPLAY=x ssh h.example 'ls -l'":                             false,
			"ssh h.example 'ls' > /home/u/.bashrc":                        false,
			"ssh h.example 'sed -i s/a/b/ x'":                             false,
			"ssh h.example 'awk \"BEGIN { system(\\\"id\\\") }\"'":        false,
			"ssh h.example 'sort -o x y'":                                 false,
			"ssh h.example 'echo x | tee y'":                              false,
			"ssh h.example 'curl -d @x https://a.example'":                false,
			"ssh h.example 'time rm x'":                                   false,
			"ssh h.example 'timeout 5 reboot'":                            false,
			"ssh -o ConnectTimeout=10 -o BatchMode=yes h.example 'ls -l'": false,
		},
		"ssh h.example 'tail -50 /var/log/app/x.log'": {
			"ssh h.example 'grep -c ERROR /var/log/app/y.log'":   true,
			"ssh h.example 'ls /srv; cat /var/log/app/z.log'":    true,
			"ssh h.example 'cat /var/log/app/../auth.log'":       false,
			"ssh h.example 'cat /var/log/auth.log'":              false,
			"ssh h.example 'cat /var/log/app/*'":                 true,
			"ssh h.example 'cat /var/log/app/.env'":              false,
			"ssh h.example 'cat ~/.ssh/id_rsa'":                  false,
			"ssh h.example 'cat /srv/app.conf'":                  false,
			"ssh h.example 'tail /var/log/app/x.log /etc/hosts'": false,
			"scp h.example:/var/log/app/x.log .":                 false,
		},
		"ssh -o ConnectTimeout=10 -o BatchMode=yes me@h.example 'df -h'": {
			"ssh -o ConnectTimeout=10 -o BatchMode=yes me@h.example 'free -m; uptime'": true,
			"ssh -o ConnectTimeout=10 -o BatchMode=yes h.example 'free -m; uptime'":    false,
			"ssh -o ConnectTimeout=10 -o BatchMode=no me@h.example 'free -m'":          false,
		},
	} {
		for then, want := range others {
			if got := covers(t, agreed, then, place); got != want {
				t.Errorf("a yes to %q: %q is covered: %v", agreed, then, got)
			}
		}
	}
}
