package gates

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about pages of documentation and what registries tell of a package. Who asks
// for one tells its operator which page, and nobody else: an attacker learns nothing of it,
// whatever stands in the address, and what comes back is a text. docs/hooks.md says where the
// lists are from, and what keeps a site off them.

// documentation are sites, without "www.": https only, any page without a query. Also meant are
// the subdomains "docs" and "doc" of each.
const documentation = `
12factor.net abseil.io actix.rs agentclientprotocol.com ai-sdk.dev ai.google.dev aiohttp.readthedocs.io airflow.apache.org ajv.js.org akka.io alembic.sqlalchemy.org alpinejs.dev alpinelinux.org
angular.io angularjs.org ansible.com ansible.readthedocs.io ant.apache.org ant.design antlr.org antora.org apache.org api.dart.dev api.drupal.org api.flutter.dev api.jquery.com api.kde.org
api.laravel.com api.rubyonrails.org apollographql.com apr.apache.org arduino.cc argo-cd.readthedocs.io argon2-cffi.readthedocs.io arrow.apache.org arrow.readthedocs.io asciidoc.org asciidoctor.org
asdf-vm.com assimp.org astro.build astropy.org asyncapi.com attrs.org attrs.readthedocs.io authjs.dev automapper.org ava.li avahi.org avro.apache.org axios-http.com babeljs.io backstage.io
bandit.readthedocs.io bazel.build beam.apache.org bevy.org bevyengine.org bind9.readthedocs.io bioconductor.org biomejs.dev biopython.org black.readthedocs.io bloclibrary.dev blog.golang.org
blog.rust-lang.org book.cakephp.org book.kubebuilder.io book.leptos.dev boost.org bottlepy.org bouncycastle.org brew.sh buck2.build build.pypa.io buildah.io buildroot.org bun.com
bun.sh bundler.io bytebuddy.net bytecodealliance.org c-ares.org cabal.readthedocs.io caddyserver.com cairographics.org cakebuild.net cakephp.org calver.org camel.apache.org caniuse.com capacitorjs.com
capnproto.org cassandra.apache.org ccache.dev cert-manager.io certbot.eff.org cffi.readthedocs.io cgal.org chaijs.com chakra-ui.com chartjs.org cheats.rs cheatsheetseries.owasp.org checkstyle.org
checkstyle.sourceforge.io cheerio.js.org choosealicense.com chromium.org cibuildwheel.pypa.io cibuildwheel.readthedocs.io cilium.io clamav.net clangd.llvm.org clap.rs cldr.unicode.org cli.github.com
cli.r-lib.org cli.vuejs.org click.palletsprojects.com clojure.org clojurescript.org cloud.google.com cloudevents.io cluster-api.sigs.k8s.io cmocka.org cobra.dev cocoapods.org code.visualstudio.com
codeigniter.com codeql.github.com coffeescript.org commitlint.js.org commonmark.org commons.apache.org compiler-rt.llvm.org component-model.bytecodealliance.org conan.io conda-forge.org conda.io
connectrpc.com consul.io containerd.io conventionalcommits.org cordova.apache.org couchdb.apache.org coverage.readthedocs.io cppreference.com craftcms.com cryptography.io crystal-lang.org ctags.io
curl.se cve.mitre.org cwe.mitre.org d2lang.com d3js.org datasheets.raspberrypi.com date-fns.org day.js.org db.apache.org dbi.perl.org dbus.freedesktop.org debian.org delta.io deno.com denx.de
detekt.dev dev.java devcenter.heroku.com develop.kde.org developer.arm.com developer.chrome.com developer.nvidia.com developer.wordpress.org developers.cloudflare.com developers.google.com
developers.home-assistant.io devtools.r-lib.org diesel.rs direnv.net distributed.readthedocs.io django-rest-framework.org dlang.org doc.crates.io docbook.org docs.aiohttp.org docs.anthropic.com
docs.avaloniaui.net docs.aws.amazon.com docs.basedpyright.com docs.bokeh.org docs.celeryq.dev docs.chef.io docs.chocolatey.org docs.circuitpython.org docs.cohere.com docs.confluent.io docs.couchdb.org
docs.cursor.com docs.dagster.io docs.dask.org docs.databricks.com docs.digitalocean.com docs.espressif.com docs.expo.dev docs.fastlane.tools docs.fedoraproject.org docs.fluentbit.io
docs.fluentvalidation.net docs.freebsd.org docs.getdbt.com docs.godotengine.org docs.graphene-python.org docs.greatexpectations.io docs.guzzlephp.org docs.h5py.org docs.jax.dev docs.jboss.org
docs.k6.io docs.kicad.org docs.langchain.com docs.liquibase.com docs.llamaindex.ai docs.microsoft.com docs.mistral.ai docs.mongodb.com docs.netlify.com docs.nginx.com docs.nordicsemi.com
docs.nuget.org docs.nvidia.com docs.ollama.com docs.peewee-orm.com docs.pgrouting.org docs.phpdoc.org docs.pinecone.io docs.pingcap.com docs.platformio.org docs.pmd-code.org docs.pmnd.rs docs.pola.rs
docs.polars.rs docs.prefect.io docs.px4.io docs.pylonsproject.org docs.railway.com docs.raku.org docs.readthedocs.com docs.readthedocs.io docs.redhat.com docs.renovatebot.com docs.rke2.io
docs.rust-embedded.org docs.saltproject.io docs.scrapy.org docs.scylladb.com docs.sentry.io docs.sigstore.dev docs.snapcraft.io docs.snowflake.com docs.sonarsource.com docs.sqlfluff.com
docs.streamlit.io docs.stripe.com docs.temporal.io docs.tigera.io docs.travis-ci.com docs.u-boot.org docs.ultralytics.com docs.unity3d.com docs.vllm.ai docs.vulkan.org docs.wagtail.org docs.wandb.ai
docs.xarray.dev docs.yugabyte.com doctrine-project.org documentation.red-gate.com documentation.ubuntu.com docusaurus.io docutils.sourceforge.io dom.spec.whatwg.org dovecot.org downloads.haskell.org
doxygen.nl dplyr.tidyverse.org drafts.csswg.org druid.apache.org dry-rb.org duckdb.org dune-project.org dune.build dune.readthedocs.io earthly.dev echo.labstack.com eclipse.org ecma-international.org
edgeguides.rubyonrails.org editorconfig.org eel.is ejs.co electron-vite.org electron.build electronjs.org elm-lang.org embassy.dev emberjs.com emscripten.org endoflife.date entgo.io envoyproxy.io
erlang.org errorprone.info eslint.vuejs.org esphome.io etcd.io exiftool.org exim.org exiv2.org extensionworkshop.com fastify.dev fastify.io feathersjs.com fetch.spec.whatwg.org ffmpeg.org fftw.org
filamentphp.com firebase.google.com firebirdsql.org firefox-source-docs.mozilla.org firewalld.org fishshell.com flake8.pycqa.org flask-sqlalchemy.palletsprojects.com flatpak.org flink.apache.org
flit.readthedocs.io fltk.org fluentd.org flutter.dev fluxcd.io flywaydb.org fmt.dev framer.com freedesktop.org freertos.org freetype.org fsharp.org gap-system.org gateway-api.sigs.k8s.io gatsbyjs.com
gazebosim.org geopandas.org geronimo.apache.org getbootstrap.com getcomposer.org getrector.com gevent.org ggplot2.tidyverse.org ghostscript.com gimp.org gin-gonic.com github.github.com gleam.run
glfw.org gmplib.org gnupg.org gnutls.org go-chi.io gobyexample.com gofiber.io gohugo.io gokit.io golang.org golang.testcontainers.org goreleaser.com gorm.io graalvm.org graphql.org graphviz.org
groovy-lang.org grpc.io gruntjs.com gstreamer.freedesktop.org gtk.org gtkmm.org guides.cocoapods.org guides.emberjs.com guides.rubygems.org guix.gnu.org gulpjs.com gunicorn.org hacks.mozilla.org
hadoop.apache.org hamcrest.org haml.info hanamirb.org handlebarsjs.com hapi.dev haproxy.org haskell.org haskellstack.org hasura.io hatch.pypa.io hbase.apache.org healpy.readthedocs.io helm.sh
hibernate.org highlightjs.org hive.apache.org home-assistant.io home.unicode.org hono.dev hotwired.dev html-tidy.org html.spec.whatwg.org http.dev httpd.apache.org httpie.io httpwg.org
hypothesis.readthedocs.io i18next.com iceberg.apache.org icinga.com icu.unicode.org inertiajs.com influxdata.com inkscape.org insert-koin.io invisible-island.net ionicframework.com isc.org iso.org
isocpp.org isort.readthedocs.io istio.io itsdangerous.palletsprojects.com jackaudio.org jacoco.org jaegertracing.io jakarta.ee java.testcontainers.org javacc.org jax.readthedocs.io jdbc.postgresql.org
jekyllrb.com jenkins.io jmeter.apache.org jooq.org jotai.org jqlang.org jquery.com jqueryui.com js.langchain.com jsdoc.app json5.org jsonapi.org jsonrpc.org jsoup.org julialang.org jupyter.org
jupyterbook.org just.systems k3s.io kafka.apache.org kazoo.readthedocs.io kb.isc.org kde.org keepachangelog.com keras.io keystonejs.com khronos.org kind.sigs.k8s.io kit.svelte.dev knexjs.org koajs.com
kotest.io kramdown.gettalong.org ktor.io kubectl.docs.kubernetes.io kustomize.io latex-project.org leafletjs.com leiningen.org leptos.dev lerna.js.org lesscss.org letsencrypt.org libarchive.org
libcloud.apache.org libcxx.llvm.org libevent.org libgit2.org libsdl.org libsodium.org libssh.org libssh2.org libvirt.org libwebsockets.org libzip.org lilypond.org linkerd.io linux.die.net
linuxcontainers.org liquibase.org lit.dev litestar.dev livewire.laravel.com lld.llvm.org lldb.llvm.org locust.io lodash.com logback.qos.ch logging.apache.org lttng.org lua.org lucene.apache.org
lv2plug.in m2.material.io m3.material.io magefile.org man.archlinux.org manned.org manpages.debian.org manpages.ubuntu.com mantine.dev mapstruct.org mariadb.com mariadb.org
markupsafe.palletsprojects.com marshmallow.readthedocs.io masstransit.io material.io mathjax.org matplotlib.org mdxjs.com meilisearch.com memcached.org mercurial-scm.org mermaid.js.org mesa3d.org
mesonbuild.com metabase.com micronaut.io micropython.org mill-build.org milvus.io minikube.sigs.k8s.io mise.jdx.dev mkdocs.org mlflow.org mlir.llvm.org mochajs.org mockito.org modelcontextprotocol.io
mojolicious.org molecule.readthedocs.io mongoosejs.com monogame.net mosquitto.org motion.dev mpfr.org mpv.io msgpack.org mswjs.io mudblazor.com mui.com munin-monitoring.org mupdf.com mypy-lang.org
nats.io neo4j.com neovim.io nerves-project.org nestjs.com netfilter.org netty.io networkx.org next-auth.js.org nexte.st nghttp2.org nginx.org nightwatchjs.org nim-lang.org ninja-build.org nitro.build
nix.dev nixos.org nltk.org nmap.org node.testcontainers.org nodemon.io nokogiri.org nomadproject.io ntpsec.org nuke.build numba.pydata.org nunit.org nushell.sh nuxt.com nvd.nist.gov nx.dev oauth.net
ocaml.org octave.org odin-lang.org onnx.ai onnxruntime.ai open-mpi.org openapi-generator.tech openapis.org openblas.net openbsd.org opencv.org openexr.com openexr.org openid.net openjdk.org openjfx.io
openldap.org openpolicyagent.org opensearch.org openslide.org opensource.org openssh.com openssl.org opentofu.org openvpn.net orgmode.org orm.drizzle.team osv.dev owasp.org oxc.rs package.elm-lang.org
packer.io palletsprojects.com pandoc.org paraview.org parceljs.org parquet.apache.org passlib.readthedocs.io pdepend.org pdfbox.apache.org pdm-project.org pekko.apache.org perl.apache.org perl.org
perldoc.perl.org pestphp.com pgbouncer.org phoenixframework.org php-fig.org php.net phpmd.org phpstan.org phpunit.de picocli.info pillow.readthedocs.io pinia.vuejs.org pip-tools.readthedocs.io
pipewire.org pkgdocs.julialang.org pkgdown.r-lib.org platform.claude.com platform.openai.com playframework.com please.build pluggy.readthedocs.io pm2.keymetrics.io podman.io poi.apache.org ponylang.io
poppler.freedesktop.org postcss.org postfix.org postgis.net postgrest.org pptr.dev pre-commit.com preactjs.com prisma.io probe.rs proj.org projectlombok.org prometheus-operator.dev prometheus.io
protobuf.dev psalm.dev psycopg.org pugjs.org pulsar.apache.org pulumi.com puma.io puppet.com purescript.org pybind11.readthedocs.io pycryptodome.org pygame.org pygments.org pylint.pycqa.org
pylint.readthedocs.io pymatgen.org pyopengl.sourceforge.net pypdf.readthedocs.io pypdf2.readthedocs.io pyrefly.org pysam.readthedocs.io pytables.org pytest-asyncio.readthedocs.io
pytest-cov.readthedocs.io pytest-django.readthedocs.io pytest-xdist.readthedocs.io pytest.org python-httpx.org python-poetry.org python.langchain.com pyudev.readthedocs.io pyyaml.org qdrant.tech
qemu.org qgis.org qt.io quarkus.io quarto.org quasar.dev qunitjs.com r-project.org rabbitmq.com racket-lang.org radix-ui.com rakudo.org raspberrypi.com re2c.org react-hook-form.com react-redux.js.org
react.i18next.com reactjs.org reactnative.dev reactnavigation.org reactrouter.com rebar3.org redux-toolkit.js.org redux.js.org refspecs.linuxfoundation.org registry.khronos.org
regular-expressions.info releases.llvm.org remix.run reproducible-builds.org rescript-lang.org rich.readthedocs.io riscv.org riverpod.dev rlang.r-lib.org rmarkdown.rstudio.com rocket.rs rocksdb.org
rocm.docs.amd.com rolldown.rs rollupjs.org ros.org router.vuejs.org roxygen2.r-lib.org rpm.org rsbuild.dev rspack.dev rspec.info rsync.samba.org rsyslog.com rubocop.org ruby-lang.org rubyonrails.org
rust-lang.org rxjs.dev samba.org sanic.dev sass-lang.com scala-lang.org scala-sbt.org scalameta.org scalatest.org scapy.net scikit-build-core.readthedocs.io scikit-build.readthedocs.io
scikit-image.org scipy.org scons.org sdk.operatorframework.io sea-ql.org seaborn.pydata.org selenium.dev seleniumhq.org sequelize.org serde.rs serilog.net setuptools-scm.readthedocs.io sfml-dev.org
shapely.readthedocs.io shellcheck.net shiny.posit.co sidekiq.org simplejson.readthedocs.io sinatrarb.com sinonjs.org site.mockito.org slf4j.org slimframework.com slint.dev slsa.dev smartmontools.org
snakemake.readthedocs.io snowballstem.org socket.io solidjs.com solr.apache.org sorbet.org source.android.com spacy.io spark.apache.org spdx.org spec.commonmark.org spec.graphql.org spec.whatwg.org
specifications.freedesktop.org sphinx-doc.org spotbugs.readthedocs.io spring.io sqlalchemy.org sqlc.dev starlette.io starship.rs statamic.dev statsmodels.org stimulus.hotwired.dev storybook.js.org
strace.io strawberry.rocks styled-components.com stylelint.io subversion.apache.org sudo.ws superset.apache.org support.apple.com swc.rs swi-prolog.org swift.org symfony.com sympy.org systemd.io
tanstack.com taskfile.dev taskwarrior.org tauri.app tcl.tk tcpdump.org tensorflow.org terraform.io terragrunt.gruntwork.io terser.org test-utils.vuejs.org testcontainers.com testing-library.com
testthat.r-lib.org texdoc.org textual.textualize.io the-guild.dev threejs.org tidyverse.org timescale.com tip.golang.org tokio.rs tomcat.apache.org tornadoweb.org tox.wiki traefik.io
treq.readthedocs.io trino.io trivy.dev trpc.io trustedfirmware.org trypyramid.com tug.org turbo.build turbo.hotwired.dev turborepo.com twig.symfony.com twine.readthedocs.io typedoc.org typelevel.org
typeorm.io typer.tiangolo.com typescript-eslint.io typesense.org typing.python.org ui.shadcn.com uima.apache.org underscorejs.org unocss.dev url.spec.whatwg.org urllib3.readthedocs.io urql.dev
urwid.org use-the-index-luke.com usethis.r-lib.org uvicorn.dev uvicorn.org v2.ocaml.org v2.tauri.app v8.dev vagrantup.com valibot.dev valkey.io vapor.codes varnish-cache.org vaultproject.io vcpkg.io
vector.dev vertx.io videolan.org viewcomponent.org vim.org vimhelp.org virtualenv.pypa.io vitepress.dev vlang.io vtk.org vue-loader.vuejs.org vuetifyjs.com vueuse.org vulkan.lunarg.com wails.io
wasi.dev wasmer.io wasmtime.dev wayland.freedesktop.org weaviate.io web.dev webassembly.org webdriver.io webkit.org webkitgtk.org webob.org werkzeug.palletsprojects.com wheel.readthedocs.io winehq.org
wireshark.org workboxjs.org wxpython.org wxt.dev wxwidgets.org x.org xapian.org xarray.pydata.org xdebug.org xenproject.org xerces.apache.org xiph.org xlsxwriter.readthedocs.io xmake.io
xmlgraphics.apache.org xstate.js.org xunit.net yaml.readthedocs.io yardoc.org yeoman.io yew.rs yiiframework.com yoctoproject.org zephyrproject.org zeromq.org ziglang.org zio.dev zookeeper.apache.org
zsh.org zsh.sourceforge.io zustand.docs.pmnd.rs
`

// documents are pages of sites that have others as well: a star stands for one name, two for
// the rest. What counts downloads for everybody to see is none of them (a file of a registry,
// the page of one version at some), nor what fetches elsewhere what it is asked for.
const documents = `
anaconda.org/conda-forge/* api.anaconda.org/package/conda-forge/* api.deps.dev/v3/systems/*/packages/* api.github.com/repos/*/*/releases/latest api.nuget.org/v3-flatcontainer/*/index.json
api.nuget.org/v3/registration5-gz-semver2/*/index.json api.nuget.org/v3/registration5-semver1/*/index.json buf.build/docs/** central.sonatype.com/artifact/*/* central.sonatype.com/artifact/*/*/*
circleci.com/docs/** clickhouse.com/docs/** cran.r-project.org/package=* cran.r-project.org/web/packages/*/index.html crates.io/api/v1/crates/* crates.io/api/v1/crates/*/* crates.io/crates/*
crates.io/crates/*/* ctan.org/pkg/* elpa.gnu.org/packages/* fastapi.metacpan.org/v1/module/* fastapi.metacpan.org/v1/release/* fly.io/docs/** formulae.brew.sh/api/cask/* formulae.brew.sh/api/formula/*
formulae.brew.sh/cask/* formulae.brew.sh/formula/* grafana.com/docs/** hackage.haskell.org/package/* hackage.haskell.org/package/*/docs/* hex.pm/api/packages/* hex.pm/packages/* hub.docker.com/_/*
hub.docker.com/v2/repositories/library/* hub.docker.com/v2/repositories/library/*/tags hub.docker.com/v2/repositories/library/*/tags/* index.crates.io/*/*/* luarocks.org/modules/*/*
metacpan.org/dist/* metacpan.org/pod/* metacpan.org/release/* mvnrepository.com/artifact/*/* mvnrepository.com/artifact/*/*/* opam.ocaml.org/packages/* packages.debian.org/*/* packages.ubuntu.com/*/*
packagist.org/packages/*/* plotly.com/javascript/** plotly.com/python/** plugins.gradle.org/plugin/* plugins.gradle.org/plugin/*/* proxy.golang.org/golang.org/x/*/@latest
proxy.golang.org/golang.org/x/*/@v/list pub.dev/api/packages/* pub.dev/packages/* pub.dev/packages/*/changelog pub.dev/packages/*/versions pypi.org/project/* pypi.org/project/*/*
pypi.org/pypi/*/*/json pypi.org/pypi/*/json pypi.org/rss/project/*/releases.xml pypi.org/simple/* registry.npmjs.org/* registry.npmjs.org/*/* registry.npmjs.org/-/package/*/dist-tags
registry.terraform.io/providers/*/*/latest registry.terraform.io/providers/*/*/latest/docs/** registry.terraform.io/v1/providers/*/*/versions render.com/docs/** repo.packagist.org/p2/*/*
repology.org/project/*/versions rubygems.org/api/v1/gems/* rubygems.org/api/v1/versions/* rubygems.org/gems/* rubygems.org/gems/*/versions rubygems.org/gems/*/versions/* search.maven.org/artifact/*/*
search.maven.org/artifact/*/*/* search.maven.org/solrsearch/select semgrep.dev/docs/** sourceware.org/binutils/docs/** sourceware.org/gdb/** sourceware.org/glibc/manual/** stately.ai/docs/**
supabase.com/docs/** typst.app/docs/** vercel.com/docs/** www.cockroachlabs.com/docs/** www.elastic.co/docs/** www.elastic.co/guide/** www.jetbrains.com/help/** www.mongodb.com/docs/**
www.npmjs.com/package/* www.npmjs.com/package/*/* www.npmjs.com/package/*/v/* www.nuget.org/packages/* www.nuget.org/packages/*/*
`

// documented says whether an effect reads such a page and its call does nothing else with it:
// by a tool that takes an address, or by curl or wget with options that say how the answer is
// shown. A redirect leads where the site's operator has it lead: without a query and without
// the name of another host in its path, the address does not say where.
func (c *Context) documented(e *Effect) bool {
	if e.Op != effect.OpFetch && e.Op != effect.OpProbe || e.Net.Scheme != "https" || e.Net.Port != 443 || isAmong(c.Content, "credentials") {
		return false
	}
	switch r := c.runOf(c.indexOf(e)); {
	case r == nil && (e.Program != c.Tool || !c.onlyFetches()), r != nil && (r.Given || r.Contained || len(r.Unlisted) > 0 || !onlyShows(r.Words)):
		return false
	}
	host, page, ok := plainAddress(e)
	return ok && (site(host) && plainPage(page) || page != "" && document(host+page))
}

// fetchArguments are arguments of tools that fetch a page for the agent: the address, what is
// looked for there, and how much of it is shown in which form. Sorted.
var fetchArguments = [...]string{"format", "max_length", "prompt", "raw", "start_index", "timeout", "url"}

// OnlyFetches says whether the call is one of a tool that is given an address, and nothing but what says
// how much of the answer is shown.
func (c *Context) OnlyFetches(e *Effect) bool { return e.Program == c.Tool && c.onlyFetches() }

// OnlyShows says whether the words of a run of curl or wget say nothing but how the answer is shown.
func OnlyShows(words []string) bool { return onlyShows(words) }

// onlyFetches says whether a tool is given nothing but such arguments.
func (c *Context) onlyFetches() bool {
	return !slices.ContainsFunc(c.Args, func(a call.Arg) bool { return !searched(fetchArguments[:], a.Path) })
}

// plainAddress takes an address apart that has no user, no port, and in its page only what
// names have. ok is false for any other, and for a long one.
func plainAddress(e *Effect) (host, page string, ok bool) {
	address := e.Resource
	if i := strings.Index(address, "://"); i >= 0 {
		address = address[i+3:]
	}
	address, _, _ = cutAt(address, "#")
	host, page = address, ""
	if i := strings.IndexAny(address, "/?"); i >= 0 {
		host, page = address[:i], address[i:]
	}
	host = strings.ToLower(host)
	if host != e.Net.Domain || len(page) > 2*maxQuery {
		return "", "", false
	}
	where, query, _ := cutAt(page, "?")
	for part := range strings.SplitSeq(strings.Trim(where, "/"), "/") {
		if len(part) > maxPart || strings.Trim(part, ".") == "" && where != "/" && where != "" || !plainBytes(part, "-._~+,@=") {
			return "", "", false
		}
	}
	return host, page, len(query) <= maxQuery && plainBytes(query, "-._~+=&:,") && !strings.Contains(where, "//")
}

// maxPart is longer than the names of pages and packages are.
const maxPart = 80

// plainBytes says whether a text has letters, digits and some more characters alone.
func plainBytes(s, more string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !(b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || firstByte(more, b) >= 0) {
			return false
		}
	}
	return true
}

// plainPage says whether a page has no query, and no name of a host on its way: what stands
// behind a dot there is of a version (4.x), and only the last part has an ending.
func plainPage(page string) bool {
	parts := strings.Split(page, "/")
	for i, p := range parts {
		if strings.Contains(p, "?") || i < len(parts)-1 && hasHost(p) {
			return false
		}
	}
	return true
}

// hasHost says whether a part of an address may be the name of a host: two letters stand behind a dot.
func hasHost(part string) bool {
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	for i := 1; i < len(part)-2; i++ {
		if part[i] == '.' && letter(part[i+1]) && letter(part[i+2]) {
			return true
		}
	}
	return false
}

// site says whether all of a host is documentation.
func site(host string) bool {
	host = trimPrefix(host, "www.")
	for f := range strings.FieldsSeq(documentation) {
		if host == f || strings.HasSuffix(host, f) && (host == "docs."+f || host == "doc."+f) {
			return true
		}
	}
	return false
}

// document says whether an address is one of the documents.
func document(address string) bool {
	where, _, asked := cutAt(address, "?")
	parts := strings.Split(trimSuffix(where, "/"), "/")
	for f := range strings.FieldsSeq(documents) {
		if strings.HasPrefix(f, parts[0]+"/") && fits(strings.Split(f, "/"), parts) {
			return !asked || !strings.HasSuffix(f, "**")
		}
	}
	return false
}

// fits says whether the parts of an address are those of one of the documents.
func fits(shape, parts []string) bool {
	for i, s := range shape {
		switch {
		case s == "**":
			return !slices.ContainsFunc(parts[min(i, len(parts)-1):len(parts)-1], hasHost)
		case i >= len(parts):
			return false
		case strings.HasSuffix(s, "*"):
			if rest, ok := cutPrefix(parts[i], s[:len(s)-1]); !ok || rest == "" || firstByte("-._~+,=", rest[0]) >= 0 {
				return false
			}
		case s != parts[i]:
			return false
		}
	}
	return len(shape) == len(parts)
}

// These options of curl(1) and wget(1) say how much is shown and how long is waited, and
// nothing else; behind those of the second list stands a value. Sorted.
var (
	showOptions = "--compressed --fail --fail-with-body --head --http1.1 --http2 --include --ipv4 --ipv6 --location --no-progress-meter --no-verbose --quiet --server-response --show-error " +
		"--silent --spider --tlsv1.2 --tlsv1.3 --verbose -4 -6 -nv"
	valueOptions = [...]string{"--connect-timeout", "--max-redirs", "--max-time", "--retry", "--retry-delay", "--retry-max-time", "--timeout", "--tries", "-m"}
)

// onlyShows says whether a run of curl or wget shows what it gets, sends nothing of its own and
// keeps nothing: it writes no file, and no file tells it what to do.
func onlyShows(words []string) bool {
	if len(words) == 0 || slices.ContainsFunc(words, mark.Has) || words[0] != "curl" && words[0] != "wget" {
		return false
	}
	curl, shown := words[0] == "curl", words[0] == "curl"
	for i := 1; i < len(words); i++ {
		w := words[i]
		name, value, joined := cutAt(w, "=")
		next := func() string {
			if !joined && i+1 < len(words) {
				i++
				value = words[i]
			}
			return value
		}
		switch {
		case w == "" || w[0] != '-':
		case !joined && mark.Among(showOptions, w), w == "--spider":
			shown = shown || w == "--spider"
		case searched(valueOptions[:], name) && (!joined || !curl), !curl && (name == "-T" || name == "-t") && !joined:
			if v := next(); !number(strings.ReplaceAll(v, ".", "")) {
				return false
			}
		case curl && (w == "-o" || w == "--output"):
			if next() != "/dev/null" {
				return false
			}
		case !curl && (w == "-O" || w == "-qO" || name == "--output-document"):
			if shown = true; next() != "-" && value != "/dev/null" {
				return false
			}
		case !curl && (w == "-O-" || w == "-qO-" || w == "-nv"):
			shown = true
		case curl && (w == "-w" || w == "--write-out"):
			if v := next(); strings.HasPrefix(v, "@") || strings.Contains(v, "%output") {
				return false
			}
		case curl && (w == "-H" || w == "--header"), !curl && name == "--header":
			if media, ok := cutPrefix(strings.ToLower(next()), "accept:"); !ok || len(media) > maxQuery/2 {
				return false
			}
		case curl && !joined && len(w) > 1 && w[1] != '-' && strings.Trim(w[1:], "sSfLIiv46") == "", !curl && strings.Trim(w[1:], "qS") == "":
		default:
			return false
		}
	}
	return shown
}
