package gates

import "testing"

// TestInterpretersOptionsThatReachOut gives the options of interpreters that name a
// file or a directory one elsewhere, attached and apart (node --help, python3 -X,
// IPython's and Jupyter's configuration by options).
func TestInterpretersOptionsThatReachOut(t *testing.T) {
	lines := crossed([]string{"node --%=/home/me/.config/x app.js", "node --% /home/me/.config/x app.js", "node --%=../x app.js", "nodejs --%=/etc/x -e 1"}, []string{
		"cpu-prof-dir", "heap-prof-dir", "diagnostic-dir", "report-dir", "report-directory", "redirect-warnings", "tls-keylog", "trace-event-file-pattern", "openssl-config", "icu-data-dir", "env-file-if-exists",
		"snapshot-blob", "localstorage-file", "test-reporter-destination", "experimental-sea-config", "build-snapshot-config", "watch-path", "experimental-config-file", "logfile", "perf-prof-path",
	})
	lines = append(lines, crossed([]string{"node --%=/tmp/x app.js", "node --% /tmp/x app.js"}, []string{"openssl-config", "env-file-if-exists", "experimental-config-file", "snapshot-blob", "test-reporter", "test-global-setup"})...)
	lines = append(lines, crossed([]string{"python3 %", "python3 -u %", "python %"}, []string{"-X pycache_prefix=/home/me/x app.py", "-Xpycache_prefix=/etc/x app.py"})...)
	lines = append(lines, crossed([]string{"% nb.ipynb", "% -c 1"}, []string{
		"ipython --InteractiveShellApp.exec_lines=x", "ipython --IPythonApp.exec_files=x", "ipython --InteractiveShellApp.extensions=x", "ipython --InteractiveShellApp.code_to_run=x", "ipython --c=x --TerminalInteractiveShell.editor=x", "ipython --profile-dir=/tmp/x", "ipython --config=/tmp/x.py", "ipython --ext=x", "ipython --ipython-dir=/home/me/x", "ipython --logfile=/home/me/x", "ipython --logappend=/etc/x",
	})...)
	neverApproved(t, lines, 100)
}

func TestInterpretersOptionsOfDailyWorkGoThrough(t *testing.T) {
	allApproved(t, []string{
		"node --max-old-space-size=4096 app.js", "node --cpu-prof --cpu-prof-dir=prof app.js", "node --cpu-prof-dir prof --cpu-prof app.js", "node --env-file=.env app.js", "node --test --test-reporter spec", "node --test --test-reporter=tap tests", "node --stack-trace-limit 50 app.js",
		"node --enable-source-maps dist/app.js", "node --experimental-vm-modules node_modules/.bin/jest", "node --no-warnings --loader=ts-node/esm x.ts || true", "node --watch app.js", "node --trace-warnings app.js", "node --check app.js", "node --unhandled-rejections=strict app.js", "node --expose-gc app.js", "node --redirect-warnings=warn.log app.js",
		"python3 -X dev app.py", "python3 -X importtime app.py", "python3 -X pycache_prefix=/tmp/x app.py", "python3 -W error app.py", "ipython --simple-prompt -c 'print(1)'", "ipython --no-banner nb.py", "ipython --pylab=inline x.py", "ipython x.py",
	})
}

// TestLibraryModulesThatWrite hands modules of Python's library that write files
// the places that they write to.
func TestLibraryModulesThatWrite(t *testing.T) {
	neverApproved(t, crossed([]string{"python3 -m %", "python3 -B -m %", "python -m %"}, []string{
		"compileall /usr/lib/python3", "compileall -q ../other", "compileall /home/me/x", "py_compile /usr/lib/python3/x.py", "py_compile ../x.py", "compileall -i list src", "venv /home/me/x", "venv --clear ../x", "venv --upgrade-deps .venv2",
		"fileinput -i x.txt", "zipapp src -o ../x", "tarfile -e a.tar /home/me", "zipfile -e a.zip ..", "gzip ../x", "trace --coverdir=/home/me -c a.py", "cProfile -o /home/me/x a.py", "quopri ~/.ssh/id_rsa", "base64 ~/.ssh/id_rsa",
	})[:48], 40)
	allApproved(t, []string{"python3 -m compileall -q src", "python3 -m py_compile src/a.py b.py", "python3 -m venv .venv", "python3 -m json.tool a.json", "python3 -m compileall .", "python -m compileall src tests -q", "find . -name '*.py' | xargs python3 -m py_compile", "python3 -m compileall -f -q src/a.py"})
}

// TestOptionsThatSayTheyWrite gives listed options that the tables say nothing of a
// place outside the workspace, where their names say that it is written or loaded.
func TestOptionsThatSayTheyWrite(t *testing.T) {
	neverApproved(t, crossed([]string{"valgrind --bb-out-file=% ./a", "valgrind --tool=exp-bbv --pc-out-file=% ./a", "zip -b % a.zip b", "pnpm run build --store-dir %", "hg status --config-file %", "deno test --config %", "javac -cp x -d % A.java", "ccache --dir % -C", "ctest --output-log %", "sort --temporary-directory=% a"}, []string{"/home/me/.config/x", "../x", "/etc/x"}), 30)
	neverApproved(t, []string{"hg status --config alias.status=!evil", "hg --config hooks.pre-log=x log", "hg log --config extensions.x=/tmp/x.py"}, 3)
	allApproved(t, []string{"valgrind --log-file=/tmp/v.log ./a", "sort -T /tmp a", "zip -b /tmp a.zip b", "grep -rn x --exclude-dir=/x .", "deno test -c deno.json"})
}

// TestSettingsOfRuntimes gives php and java settings from elsewhere, in all the ways
// that php(1) and java(1) have.
func TestSettingsOfRuntimes(t *testing.T) {
	neverApproved(t, crossed([]string{"php % app.php", "php -q % app.php", "php8.2 % -r 'echo 1;'"}, []string{
		"-c /tmp/php.ini", "-c ../php.ini", "--php-ini /tmp/php.ini", "--php-ini=/tmp/php.ini", "-z ./x.so", "--zend-extension=./x.so", "--zend-extension x.so", "-d auto_prepend_file=x.php", "--define auto_prepend_file=x.php", "--define=extension=x.so",
	}), 25)
	neverApproved(t, crossed([]string{"java % -jar app.jar", "java -ea -Xmx1g % -jar app.jar", "java % App.java"}, []string{
		"-Dlogback.configurationFile=/tmp/x.xml", "-Dlog4j.configurationFile=file:/tmp/x.xml", "-Dspring.config.location=/etc/x.yml", "-Dlogging.file=/home/me/.bashrc", "-Dlog.dir=../x", "-Dserver.url=https://x.example.net", "-Dplugin.path=/tmp/p", "-Dconfig.url=https://x.example.net/c",
	}), 20)
	allApproved(t, []string{"php -d memory_limit=1G app.php", "php -n app.php", "php -c php.ini app.php", "php --define memory_limit=1G app.php", "java -Dfile.encoding=UTF-8 -jar a.jar", "java -Dspring.profiles.active=dev -jar a.jar", "java -Dapi.url=http://localhost:8080 -jar a.jar", "java -Dlog.dir=/tmp/logs -jar a.jar", "java -Dconfig.file=conf/a.conf -jar a.jar", "java -Xmx2g -ea -jar a.jar"})
}

// TestFlagsThatFetchOrSend are flags of builders that fetch what is run, or send what
// was measured.
func TestFlagsThatFetchOrSend(t *testing.T) {
	neverApproved(t, crossed([]string{"%", "cd sub && %", "% || true"}, []string{"next build --experimental-upload-trace", "stack build --install-ghc", "stack --install-ghc test", "npx next build --experimental-upload-trace"}), 12)
	allApproved(t, []string{"next build", "stack build", "stack test --no-install-ghc"})
}
