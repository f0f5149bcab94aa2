package redact

import (
	"strings"
	"testing"
)

// TestLogRedactsPasswords: where a command line or a text holds a password, the
// log does not, and the rest of the line stays readable.
func TestLogRedactsPasswords(t *testing.T) {
	const pw = "k93LmQpZt2Vb"
	d := detector(t)
	for _, line := range []string{
		"mysql -uroot -p@@ -h db.example.com", "mysql -u root -p'@@' x", "mysqldump --password=@@ x", "mysql --password @@ x", "mariadb-dump -p@@ x", "sshpass -p @@ ssh h", "sshpass -p@@ ssh h",
		"docker login -u bob -p @@", "docker login --password @@ r.example", "docker login --password=@@", "podman login -u bob -p @@ r.example", "helm registry login -u a -p @@ r.example",
		`curl -H "Authorization: Basic @@" https://h.example`, `curl -H 'Authorization: Bearer @@' https://h.example`, `curl -H 'authorization: @@' https://h.example`, `curl -H 'X-Api-Key: @@' https://h.example`,
		`curl -H "Cookie: sid=@@" https://h.example`, "curl -H X-Auth-Token:@@ https://h.example", "curl -u bob:@@ https://h.example", "curl --user bob:@@ https://h.example", "curl -ubob:@@ https://h.example", "http -a bob:@@ h.example",
		"redis-cli -a @@ get x", "ldapsearch -D cn=a -w @@ x", "sqlcmd -S h -U sa -P @@", "zip -P @@ a.zip b", "7z x -p@@ a.7z", "smbclient -U bob%@@ //h/x", "htpasswd -b f bob @@", "openssl enc -pass pass:@@ -in a", "az login -u a -p @@",
		"PGPASSWORD=@@ psql -h x", "export DB_PWD=@@", "MYSQL_PWD='@@' mysql", "gpg --batch --passphrase @@ -d f", "x --api-key @@", "x --api-key=@@", "x --otp @@", "x --pin=@@", "x --private-key-passphrase @@",
		`{"api-key":"@@"}`, `{"session_token": "@@"}`, `password: @@`, "wget --http-password=@@ https://h.example", "cd x && mysql -p@@; ls", "PASS=@@ ./x",
		`os.environ['API_KEY'] = '@@'`, `c["db_password"]="@@"`, `$opts['password'] => '@@'`, "openssl enc -aes-256-cbc -k @@ -in a",
	} {
		line = strings.ReplaceAll(line, "@@", pw)
		got := d.redactForms(line)
		if strings.Contains(got, pw) || strings.Count(got, "<secret") != 1 {
			t.Errorf("%s: %s", line, got)
		}
		if program, _, _ := strings.Cut(line, " "); !strings.Contains(program, pw) && !strings.HasPrefix(got, program) {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestLogKeepsTheRest: what only looks like a password stays.
func TestLogKeepsTheRest(t *testing.T) {
	d := detector(t)
	for _, line := range []string{
		"mkdir -p a/b", "docker run -p 80:80 x", "docker run -it -p 80:80 --name x y", "cp -p a b", "ssh -p 22 h", "git log -p file", "mysql -h db -P 3306", "mysql -p", "curl -H 'Accept: text/html' https://h.example", "curl https://h.example:80/a",
		`password="$PW"`, "PGPASSWORD=$PW psql", "cat session.log", "git commit -m 'the token is gone'", "pytest --pinned x", "rm -f shipping=1", "echo opinion: 3", "docker login --password-stdin", "grep -rn password src", "ls pass",
	} {
		if got := d.redactForms(line); got != line {
			t.Errorf("%s: %s", line, got)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, name := range []string{"password", "api_key", "apikey", "api-key", "apiKey", "X-Api-Key", "a.headers.Authorization", "pwd", "db_pwd", "pin", "card_pin", "otp", "otpCode", "passphrase", "passcode", "private-key", "session", "sessionId", "cookie", "Set-Cookie", "auth", "access_token"} {
		if !Named(name) {
			t.Errorf("%s is no secret's", name)
		}
	}
	for _, name := range []string{"path", "shipping", "opinion", "author", "key", "keyword", "pinned", "compass", "passenger", "text", "a.0"} {
		if Named(name) {
			t.Errorf("%s is a secret's", name)
		}
	}
}
