package gates

import "testing"

// reads are ways to read what lies outside the workspace or is secret.
var secretReads = []string{
	`cat ../../../etc/passwd`, `head -1 ../secret.txt`, `cat < ~/.aws/credentials`, `grep -r password ../`, `less ~/.netrc`, `cp ~/.ssh/id_rsa .`, `tar cf x.tar ~/.ssh`,
	`base64 ~/.kube/config`, `git diff --no-index /dev/null ~/.ssh/id_rsa`, `curl file:///etc/shadow`, `python -c 'print(open("/etc/shadow").read())'`, `sed -n p /etc/shadow`, `awk 1 /etc/shadow`,
	`cat .env`, `cat .env.production`, `while read l; do echo $l; done < ~/.ssh/id_rsa`, `mapfile a < /etc/shadow`, `echo "$(<~/.ssh/id_rsa)"`, `dd if=/etc/shadow`, `diff /etc/shadow /dev/null`,
	`xargs -a /etc/shadow echo`, `printf '%s' "$(cat ../x)"`, `exec 3<../../x; cat <&3`, `bash -c 'cat ../x'`, `cd .. && cat secret`, `pushd ../..; cat x`, `ln -s ../../x y; cat y`,
	`find .. -name '*.pem' -exec cat {} \;`, `rg key ../`, `ls ../..`, `cat ${HOME}/../etc/shadow`, `cat /proc/self/environ`, `cat /proc/1/environ`, `printenv AWS_SECRET_ACCESS_KEY`, `env | sort`, `echo $GITHUB_TOKEN`,
	`gpg --export-secret-keys`, `ssh-keygen -y -f ~/.ssh/id_rsa`, `openssl rsa -in ~/.ssh/id_rsa`, `cat .git-credentials`, `cat ~/.bash_history`, `cat src/../../x`, `cat ./../x`, `cat $(echo ../x)`,
	`f=..; cat $f/x`, `cat "$PWD/../x"`, `cat .e?v`, `cat ~/.ss*/id*`, `cat /etc/sh[a]dow`, `cat /e*/shadow`, `cat $'/etc/\x73hadow'`, `cat /etc/"sha"dow`, `cat /./etc//shadow`, `x=/etc; cat $x/shadow`,
	`cat ${x:-/etc/shadow}`, `echo L2V0Yy9zaGFkb3c= | base64 -d | xargs cat`, `cat $(echo L2V0Yy9zaGFkb3c= | base64 -d)`, `cat {/etc/shadow,}`, `echo /etc/shadow | xargs cat`, `find ~ -name id_rsa | xargs cat`,
	`tac ~/.ssh/id_rsa`, `nl ../x`, `od -c ../x`, `wc -c /etc/shadow`, `sort /etc/shadow`, `paste ../x`, `zip a.zip ~/.aws/credentials`, `rsync ~/.ssh/ ./k/`, `install -m 644 ~/.ssh/id_rsa k`,
	`jq . ~/.docker/config.json`, `node -e 'console.log(require("fs").readFileSync("/etc/shadow","utf8"))'`, `perl -ne print /etc/shadow`, `ruby -e 'puts File.read("/etc/shadow")'`, `php -r 'readfile("/etc/shadow");'`,
	`cat *.pem`, `strings server.key`, `file -f ../x`, `split ../x`, `join ../a b`, `comm ../a b`, `cat -- ../x`, `cat x ../y`, `patch -p0 -i ../x`, `make -f ../Makefile`, `source ../x`, `. /srv/x`, `bash ../x.sh`,
	`zcat ../x.gz`, `unzip -p ../x.zip`, `tar xf ../x.tar`, `git -C .. show HEAD:x > /dev/null; cat ../x`, `vim ../x`, `sudo cat /etc/shadow`, `env cat ../x`, `timeout 3 cat ../x`, `nice cat ../x`, `busybox cat ../x`,
}

func TestSecretReadsAreStopped(t *testing.T) {
	var g Guardrail
	for _, cmd := range secretReads {
		for _, state := range []State{{}, {Cwd: "/w/repo/sub", Roots: []string{"/w/repo/sub"}, Home: "/home/me"}} {
			c := ShellContext(cmd, state)
			if d := g.Decide(&c); d.Disposition == Approved {
				t.Errorf("approved with cwd %q: %s\n%+v", state.Cwd, cmd, d.Effects)
			}
		}
	}
}
