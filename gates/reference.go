package gates

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// references are sites of reference documentation: of languages and their libraries, of
// the tools that projects are built with, and of standards. Who asks one for a page tells
// its operator which page, and nobody else: none takes in what visitors write, and none is
// a place where anybody can put up a server. Forges, registries that take uploads by
// address, question sites and clouds are not among them. Sorted.
const references = "angular.dev clang.llvm.org cmake.org code.claude.com dart.dev datatracker.ietf.org dev.mysql.com developer.android.com developer.apple.com developer.hashicorp.com " +
	"developer.mozilla.org developers.openai.com devguide.python.org doc.qt.io doc.rust-lang.org docs.astral.sh docs.claude.com docs.cypress.io docs.djangoproject.com " +
	"docs.docker.com docs.flutter.dev docs.github.com docs.gitlab.com docs.gradle.org docs.kernel.org docs.npmjs.com docs.oracle.com docs.pydantic.dev docs.pytest.org " +
	"docs.python.org docs.rs docs.ruby-lang.org docs.scala-lang.org docs.spring.io docs.sqlalchemy.org docs.swift.org dotnet.microsoft.com elixir-lang.org en.cppreference.com " +
	"eslint.org expressjs.com fastapi.tiangolo.com flask.palletsprojects.com gcc.gnu.org geminicli.com git-scm.com go.dev golangci-lint.run gradle.org guides.rubyonrails.org " +
	"hexdocs.pm jestjs.io jinja.palletsprojects.com json-schema.org junit.org kotlinlang.org kubernetes.io laravel.com learn.microsoft.com llvm.org man.freebsd.org man.openbsd.org " +
	"man7.org maven.apache.org mypy.readthedocs.io nextjs.org nodejs.org numpy.org opencode.ai opentelemetry.io packaging.python.org pandas.pydata.org peps.python.org pip.pypa.io " +
	"pkg.go.dev playwright.dev pnpm.io prettier.io pubs.opengroup.org pytorch.org react.dev redis.io requests.readthedocs.io ruby-doc.org scikit-learn.org semver.org " +
	"setuptools.pypa.io spec.openapis.org sqlite.org svelte.dev swagger.io tailwindcss.com tc39.es toml.io typescriptlang.org unicode.org vite.dev vitest.dev vuejs.org " +
	"webpack.js.org www.erlang.org www.gnu.org www.iana.org www.kernel.org www.php.net www.postgresql.org www.python.org www.rfc-editor.org www.rust-lang.org www.sqlite.org " +
	"www.typescriptlang.org www.unicode.org www.w3.org yaml.org yarnpkg.com zod.dev"

// maxQuery bounds what an address of a reference page may hold behind its path: the words
// of a search are shorter, data is not.
const maxQuery = 100

// refersTo says whether an effect reads a page of reference documentation.
func refersTo(e *Effect) bool {
	if e.Op != effect.OpFetch || e.Net.Scheme != "https" || e.Net.Port != 443 || !mark.Among(references, e.Net.Domain) || strings.Contains(e.Resource, "…") {
		return false
	}
	_, query, _ := cutAt(e.Resource, "?")
	return len(query) <= maxQuery && len(e.Resource) <= 3*maxQuery && !strings.Contains(e.Resource, "@") && !leadsOn(query)
}

// leadsOn says whether a query may name another address: one that such a page redirects to, or
// that the site's own programs fetch, as those for checking pages do.
func leadsOn(query string) bool {
	q := strings.ToLower(query)
	return hasHost(q) || strings.Contains(q, "//") || strings.Contains(q, "%2f") || strings.Contains(q, "\\") || strings.Contains(q, "%5c")
}
