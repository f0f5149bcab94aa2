package gates

import "testing"

// TestTasksThatPublishAreStopped names tasks that send what was built to others, as
// the manuals of build tools and their plugins call them, by each tool that runs tasks.
func TestTasksThatPublishAreStopped(t *testing.T) {
	neverApproved(t, crossed([]string{"rake %", "bundle exec rake %", "mvn -B %", "./mvnw %", "gradle %", "./gradlew -q %", "sbt %", "sbt 'clean; %'", "lein %", "npm run %", "pnpm run %", "just %", "invoke %", "mage %", "gulp %", "ant %", "composer run %", "mise run %", "turbo run %"}, []string{
		"release", "publish", "publishSigned", "+publishSigned", "uploadArchives", "bintrayUpload", "upload", "sonatypeBundleRelease", "closeAndReleaseRepository", "dockerPush", "docker-push", "image:push", "gem:push", "deploy", "semantic-release", "release:perform",
	}), 300)
	neverApproved(t, []string{
		"mvn release:prepare release:perform", "mvn -B clean nexus-staging:release", "mvn scm:checkin", "./gradlew :app:release", "gradle :lib:uploadArchives", "ninja upload", "cmake --build b --target publish", "mvn compile jib:build", "./gradlew jib", "gradle :web:jib", "mvn com.google.cloud.tools:jib-maven-plugin:3.4.0:build", "make upload", "make docker-push", "make push", "make publish-all",
		"ninja -C build install", "ninja install", "cmake --build b --target install", "cmake --build b -t install/strip", "bazel run //image:push", "bazel run //site:deploy", "nox -s release", "nox --session=publish", "tox -e release", "tox run -e py3,publish",
	}, 20)
}

// TestScriptsThatPublishAreStopped runs a file of the workspace whose name, or the first
// word that it is told, says of a task that it reaches beyond the workspace.
func TestScriptsThatPublishAreStopped(t *testing.T) {
	neverApproved(t, []string{
		"./deploy.sh", "scripts/deploy.sh prod", "bash scripts/deploy.sh", "sh -e ci/publish.sh", "bin/ship deploy", "bin/ship -v deploy", "./tools/push-image.sh", "python scripts/upload.py", "node tools/deploy.mjs", "./run.sh publish", "bash run.sh destroy", "env A=1 ./deploy", "cd scripts && ./undeploy.sh",
	}, 10)
	allApproved(t, []string{
		"./build.sh", "scripts/test.sh prod", "bash scripts/redeployed_list.sh", "bin/ship status", "./tools/push_swap 3 1 2", "python scripts/stats.py", "node tools/build.mjs", "./run.sh check", "bash run.sh build deploy", "scripts/check-upload.sh",
	})
}

func TestTasksOfDailyWorkGoThrough(t *testing.T) {
	allApproved(t, []string{
		"gradle assembleRelease", "./gradlew :app:bundleRelease lintRelease testReleaseUnitTest", "cargo build --release", "make release", "make -j4 release", "npm run build:release", "npm run release:notes", "npm run release-dry-run", "just build-release", "gradle publishToMavenLocal", "sbt publishLocal", "sbt +publishM2", "mvn -q verify", "mvn install -DskipTests", "gradle jibDockerBuild", "./gradlew jibBuildTar",
		"mvn jib:dockerBuild", "mvn versions:display-dependency-updates", "npm run test:push", "npm run test:upload", "make install DESTDIR=stage", "ninja -C build all test", "cmake --build build --target all", "cmake --build build --config Release", "nox -s tests lint", "tox -e py311,lint", "bazel run //tools:gen", "rake spec", "rake release:guard_clean || true", "dotnet build -c Release",
	})
}

// TestHooksOfTheRepositoryAreNotPutInPlace installs what git then runs.
func TestHooksOfTheRepositoryAreNotPutInPlace(t *testing.T) {
	neverApproved(t, crossed([]string{"%", "cd sub && %", "npx %"}, []string{
		"pre-commit install", "pre-commit install -t pre-push", "pre-commit install --hook-type=commit-msg --install-hooks", "pre-commit init-templatedir x", "husky init", "husky install", "lefthook install", "overcommit --install", "git-lfs install", "git lfs install --local", "simple-git-hooks",
	}), 30)
}

// TestWaysToShowSettingsThatHoldSecrets prints what is configured, with what logs in.
func TestWaysToShowSettingsThatHoldSecrets(t *testing.T) {
	neverApproved(t, []string{
		"pip config list", "pip config -v list", "pip3 config get global.index-url", "pip config debug", "python -m pip config list", "mvn help:effective-settings -DshowPasswords=true", "mvn -DshowPasswords help:effective-settings", "make -p", "make -pn -f /dev/null", "make --print-data-base", "make -qp", "gmake -rRp", "systemctl show-environment",
		"systemctl --user show-environment", "php bin/console debug:dotenv", "bin/console debug:dotenv", "php bin/console secrets:list --reveal", "php artisan config:show database", "php artisan env:decrypt", "python manage.py diffsettings",
	}, 20)
	allApproved(t, []string{"pip list", "mvn help:effective-pom", "make -n", "make -q all", "systemctl status nginx", "php bin/console debug:router", "php artisan route:list", "python manage.py check", "make -pn | grep -c CFLAGS", "npm config get registry"})
}

// TestMasksThatGiveRightsAway sets a mask by which others may write what is made.
func TestMasksThatGiveRightsAway(t *testing.T) {
	neverApproved(t, crossed([]string{"umask %", "umask % && touch x", "( umask %; make )", "umask -S %", "umask -p %", "builtin umask %", "bash -c 'umask %; ls'"}, []string{"0", "000", "0000", "020", "005", "770", "u=rwx,g=rwx,o=rwx", "a+rw", "o+w", "o=rw", "+w", "=rwx", "ugo=rwx", "g=rx,o+rw", "$M"}), 100)
	allApproved(t, []string{"umask", "umask -S", "umask 022", "umask 077 && make", "umask 0002", "umask 027", "umask u=rwx,go=rx", "umask go-w", "umask o=", "umask g=rwx,o=rx"})
}

// TestToolsThatVersionManagersFetch runs a tool that is first downloaded.
func TestToolsThatVersionManagersFetch(t *testing.T) {
	neverApproved(t, crossed([]string{"mise x % -- kit", "mise exec % -- kit --flag", "mise x -j 2 % -- sh x.sh", "mise x node@20 % -- node x.js"}, []string{"ubi:a/kit", "npm:kit", "pipx:kit@1", "cargo:kit", "go:example.com/kit", "aqua:a/kit", "kit@1.0", "github:a/kit", "kit"}), 30)
	neverApproved(t, []string{"patch --follow-symlinks -p1 < a.patch", "patch -p1 --follow-symlinks -i a.patch", "patch -p0 --follow a b.patch", "go clean -modcache", "go clean -i -modcache ./..."}, 3)
	allApproved(t, []string{"mise exec -- node x.js", "mise x -- npm test", "mise run test", "asdf exec node x.js", "pyenv exec python x.py", "go clean -cache", "go clean -testcache", "patch -p1 < a.patch"})
}

// TestAddressesAsValuesOfVariables gives a program a bare address by a variable.
func TestAddressesAsValuesOfVariables(t *testing.T) {
	neverApproved(t, crossed([]string{"% make", "export %; make", "env % ./run.sh"}, []string{
		"DISTCC_HOSTS=203.0.113.7", "X=203.0.113.7", "WORKERS='203.0.113.7 203.0.113.8'", "PEERS=localhost,203.0.113.7", "X=203.0.113.7/8", "X=@203.0.113.7", "X=me@203.0.113.7:22", "X='[2001:db8::7]:99'", "X=2001:db8::7", "TARGETS='localhost/4 203.0.113.7/4,lzo'",
	}), 30)
	allApproved(t, []string{"HOST=127.0.0.1 make", "VERSION=1.2.3 make", "X=1.2.3.4.5 make", "SUBNET=::1 make", "HOSTS='localhost 127.0.0.1' make", "TIMES=12:30 make", "V='1.2.3' npm test"})
}
