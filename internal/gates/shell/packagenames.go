package shell

import "strings"

// This file lists packages of others by what a script can do with them. The lists are from
// knowledge of the packages' manuals, not from their sources. What is not listed is unknown.
// What a listed package has beside its own work (downloads, loaders that run code) is refused
// by name where the code is read.

// pythonApps are packages of Python beside pythonPackages that an application or a script is
// built with: they compute, read and write files that a call names, talk to whoever runs the
// script, or serve on this machine, and do nothing by being imported. A name with dots is that
// part of a package alone. Sorted.
const pythonApps = " " +
	"Cython Levenshtein PyPDF2 alive_progress altair anyio.abc anytree argcomplete argon2 asgiref asttokens async_timeout backoff bcrypt bitarray bitstring blake3 blessed blinker blosc bokeh boltons bottle brotli cachetools cattr " +
	"cattrs click cloup colorama coloredlogs colorlog commonmark cssselect cssutils cvxpy cytoolz dacite dash dataclasses_json dateparser decouple deepdiff django.core.asgi django.core.exceptions django.core.serializers.json " +
	"django.core.signing django.core.validators django.core.wsgi django.http django.template django.urls django.utils django.views docopt docutils docx dotenv einops emoji enlighten environs exceptiongroup factory faker falcon fastapi " +
	"filelock fitz flask flask_cors flask_login flask_restful flask_smorest flask_wtf flatbuffers flax folium fpdf freezegun frozendict frozenlist ftfy funcy geojson geopandas geopy.distance gmpy2 google.protobuf graphene graphql " +
	"greenlet gymnasium h11 h2 hdbscan html2text html5lib httptools humanfriendly humanize hyperlink hypothesis igraph immutabledict inflect inflection inquirer intervaltree itsdangerous jax jaxlib jaxtyping jellyfish jinja2 jsonlines " +
	"jsonpatch jsonpointer langdetect lark latex2mathml libcst lightgbm linkify_it lmfit loguru lru lz4 marko marshmallow mcp.server mcp.types mdurl mido mistune mock mpmath msgpack msgspec multidict multipart multipledispatch " +
	"murmurhash mypy_extensions nacl nanoid natsort nbformat odf omegaconf optax ordered_set ortools overrides packaging pandera parse parso parsy passlib patsy pdfminer pdfplumber phonenumbers pikepdf plotly pluggy ply polyfactory " +
	"portalocker portion pptx prompt_toolkit propcache proto pyaml pyasn1_modules pybind11 pycountry pydantic_extra_types pydash pyfiglet pygame pylatexenc pymupdf pyotp pypdf pypinyin pyproj pytest pytest_asyncio pytest_mock " +
	"pytimeparse qrcode quart questionary rapidfuzz ratelimit reportlab responses respx retry returns rfc3339_validator rfc3986 rich_click rtoml rustworkx sanic schema semantic_version semver sentencepiece setproctitle setuptools " +
	"shellingham shortuuid simple_parsing simpy six slugify snappy snowballstemmer sortedcollections soundfile sqlglot srt sse_starlette starlette starlette_context statsmodels stringcase svgwrite sympy syrupy tenacity termcolor " +
	"terminaltables texttable textual textwrap3 thefuzz tifffile timezonefinder tinycss2 toolz torchmetrics torchvision.ops torchvision.transforms torchvision.utils tornado.escape tornado.httpserver tornado.ioloop tornado.template " +
	"tornado.web treelib typeguard typer tyro tzlocal ulid umap uncertainties unidiff uvicorn uvloop vcr voluptuous watchdog.events watchdog.observers webargs webencodings werkzeug whitenoise wordcloud wrapt wtforms xgboost xlrd " +
	"xlsxwriter xlwt xxhash zict zipp "

// pythonClients are packages of Python that do nothing but speak to the address that a script
// gives them. Sorted.
const pythonClients = " aiohttp httpx playwright requests requests_toolbelt selenium urllib3 websocket websockets "

// pythonEngines are packages of Python that work on the database that an engine is made for.
const pythonEngines = " flask_sqlalchemy sqlalchemy sqlmodel "

// nodeApps are packages of npm, JSR and Bun of the same kinds as pythonApps. Those that an
// application is built and tested with are among them. A scope with /* is all that it has.
// Sorted.
const nodeApps = " " +
	"@angular/common @angular/compiler @angular/core @angular/forms @angular/platform-browser @angular/router @apollo/server @babel/code-frame @babel/core @babel/generator @babel/parser @babel/template @babel/traverse @babel/types " +
	"@changesets/parse @clack/prompts @commander-js/extra-typings @emotion/* @eslint/eslintrc @eslint/js @faker-js/faker @fastify/cors @fastify/helmet @fastify/sensible @fastify/static @fastify/swagger @floating-ui/* @formatjs/* " +
	"@headlessui/* @hono/node-server @hono/zod-validator @hookform/* @iarna/toml @inquirer/* @jest/globals @jridgewell/* @mdx-js/mdx @modelcontextprotocol/sdk/server @modelcontextprotocol/sdk/types.js @mui/* @nestjs/common " +
	"@nestjs/config @nestjs/core @nestjs/platform-express @nestjs/platform-fastify @nestjs/swagger @nestjs/testing @noble/* @pkgjs/parseargs @preact/* @radix-ui/* @reduxjs/toolkit @rollup/plugin-commonjs @rollup/plugin-json " +
	"@rollup/plugin-node-resolve @rollup/plugin-typescript @scure/base @sinclair/typebox @sindresorhus/* @standard-schema/spec @std/assert @std/async @std/bytes @std/cli @std/collections @std/csv @std/datetime @std/encoding @std/fmt " +
	"@std/jsonc @std/path @std/semver @std/testing @std/text @std/toml @std/yaml @sveltejs/kit @sveltejs/vite-plugin-svelte @swc/core @tailwindcss/* @tanstack/* @testing-library/* @tsconfig/* @turf/* @types/* @typescript-eslint/* " +
	"@vitejs/* @vitest/* @vue/* acorn acorn-walk ajv ajv-formats ansi-colors ansi-escapes ansi-styles arg arktype array-flatten ast-types astring async async-mutex autoprefixer base64-js better-sqlite3 big-integer big.js bignumber.js " +
	"bn.js body-parser boxen browserslist bson buffer bun:sqlite bun:test bytes cac callsites camelcase camelcase-keys caniuse-lite case-anything cbor chai chalk change-case chart.js cheerio chokidar ci-info class-transformer " +
	"class-validator classnames cli-cursor cli-progress cli-spinners cli-table3 cli-truncate clone clsx color color-convert color-name colord colorette colors columnify commander compressible compression connect consola content-type " +
	"convert-source-map cookie cookie-parser cors cron-parser cronstrue crypto-js css-select css-tree cssnano csstype csv csv-parse csv-stringify d3 d3-array d3-format d3-scale d3-shape d3-time-format date-fns date-fns-tz dayjs debug " +
	"decimal.js deep-equal deepmerge defu delaunator dequal destr devalue diff diff-match-patch domhandler dompurify domutils dot-prop dotenv dotenv-expand dset emoji-regex enquirer entities env-var envalid es-module-lexer es-toolkit " +
	"esbuild escape-html escape-string-regexp eslint espree esquery estraverse estree-walker etag eventemitter3 exceljs expect express express-rate-limit express-session express-validator fast-check fast-csv fast-deep-equal fast-glob " +
	"fast-json-stable-stringify fast-levenshtein fast-xml-parser fastest-levenshtein fastify fastq fdir fetch-mock fflate figlet fp-ts framer-motion fuse.js fzstd gl-matrix glob globals globby globrex gradient-string graphlib " +
	"graphology graphql gray-matter handlebars hash-sum hast-util-to-html he helmet highlight.js hono hookable html-entities html-minifier-terser htmlparser2 http-errors http-status-codes husl i18next iconv-lite ignore image-size immer " +
	"immutable indent-string ini inquirer intl-messageformat io-ts ip-regex is-glob is-number is-plain-obj isbot iso-639-1 javascript-stringify jest-diff jest-mock jimp joi jose jotai js-base64 js-beautify js-sha256 js-tiktoken " +
	"js-tokens js-yaml jsbi jsesc json-schema-to-ts json-stable-stringify json-stringify-safe json5 jsonc-parser jsondiffpatch jsonpath-plus jsonpointer jsonrepair jsonschema jsonwebtoken jszip katex kleur koa koa-bodyparser koa-router " +
	"kolorist leven libphonenumber-js lightningcss linkedom linkify-it listr2 lodash lodash-es log-symbols log-update loglevel long loose-envify lru-cache luxon magic-string markdown-it marked mathjs md5 mdast-util-from-markdown " +
	"mdast-util-to-string meow micromark micromatch mime mime-types minimatch minimist mitt mlly mobx mocha mock-fs moment moment-timezone morgan mri ms msw muggle-string multer mustache nanoevents nanoid nanostores natural " +
	"natural-compare neverthrow next nock node-html-parser normalize-path npm-package-arg object-hash object-inspect ohash on-finished onetime ora p-limit p-map p-queue p-retry p-timeout papaparse parse5 parseurl path-to-regexp pathe " +
	"pdf-lib pdf-parse pdfkit perfect-debounce picocolors picomatch pino pino-http pino-pretty pkg-types pluralize pngjs polished postcss postcss-selector-parser preact preact-render-to-string prettier pretty-bytes pretty-format " +
	"pretty-ms prismjs process-warning progress prompts prop-types proper-lockfile protobufjs pure-rand qrcode qs quick-lru radash ramda range-parser raw-body react react-dom react-is react-router react-router-dom read-pkg recast " +
	"recharts redux reflect-metadata regenerate regexpp rehype rehype-parse rehype-stringify remark remark-gfm remark-parse remark-stringify remeda reselect resolve reusify rfdc rolldown rollup rrule rss runtypes rxjs safe-buffer " +
	"safe-stable-stringify sanitize-html sass satori sax scule seedrandom semver send serialize-javascript serve-static set-cookie-parser sharp shell-quote signal-exit sinon slash slice-ansi slugify smol-toml socket.io source-map " +
	"source-map-js source-map-support sprintf-js sql-formatter sql.js sqlite3 statuses std-env string-width stringify-object strip-ansi strip-bom strip-json-comments strnum styled-components superjson superstruct supports-color svelte " +
	"svgo swagger-jsdoc swagger-ui-express swr table tailwind-merge tailwindcss tap tape temml terser text-table three throttle-debounce through2 tiktoken tiny-invariant tinybench tinycolor2 tinyglobby tinyrainbow tinyspy titleize toml " +
	"tough-cookie ts-dedent ts-morph ts-pattern tslib tsup turndown type-fest type-is typebox typed-emitter typescript ufo uglify-js uid ulid uncrypto unified unist-util-visit upath uri-js urijs url-join use-sync-external-store uuid " +
	"v8-to-istanbul valibot validator vary vfile vite vitest vue vue-router wcwidth winston wordwrap wrap-ansi write-file-atomic xlsx xml-js xml2js xmlbuilder2 xstate yaml yargs yargs-parser yocto-queue yoctocolors yup zod " +
	"zod-to-json-schema zod-validation-error zustand "

// nodeClients are packages of npm that do nothing but speak to the address that a script
// gives them. Sorted.
const nodeClients = " @playwright/test axios cross-fetch eventsource got ky needle node-fetch ofetch playwright playwright-core puppeteer puppeteer-core request socket.io-client superagent supertest undici wretch ws "

// Package is what a module of another's means for a script that brings it in.
type Package uint8

// The packages.
const (
	Unknown  Package = iota // nobody here knows what it does, or it is known to act elsewhere
	Harmless                // it computes, or serves on this machine
	Client                  // it speaks to the address that it is given
	Engine                  // it works on the database that it is given
)

// PackageKind says what a module means that is none of the workspace's. Modules of the
// language itself are harmless here: what code does with them is judged by name.
func PackageKind(lang, mod string) Package {
	if lang == "python" {
		switch top, _, _ := cutAt(mod, "."); {
		case top == "__future__" || top == "__main__" || libraryModule(mod) && top[0] != '_' || top == "_thread":
			return Harmless
		case strings.Contains(pythonPackages, " "+top+" ") || listedModule(pythonApps, mod, "."):
			return Harmless
		case listedModule(pythonClients, mod, "."):
			return Client
		case listedModule(pythonEngines, mod, "."):
			return Engine
		}
		return Unknown
	}
	switch {
	case nodeLibrary(mod), listedModule(nodeApps, mod, "/"):
		return Harmless
	case listedModule(nodeClients, mod, "/"):
		return Client
	}
	return Unknown
}

// nodeBuiltin are the modules of Node.js (module.builtinModules of version 22).
const nodeBuiltin = "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl " +
	"stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"

// nodeLibrary says whether a module is one of Node.js's own, or a part of one.
func nodeLibrary(mod string) bool {
	top, _, _ := cutAt(mod, "/")
	return strings.HasPrefix(mod, "node:") || hasWord(nodeBuiltin, top)
}

// listedModule says whether a list has a module, or something that it is a part of.
func listedModule(list, mod, sep string) bool {
	for {
		if hasWord(list, mod) {
			return true
		}
		i := strings.LastIndex(mod, sep)
		if i <= 0 {
			return false
		}
		if mod = mod[:i]; sep == "/" && mod[0] == '@' && !strings.Contains(mod, "/") {
			return hasWord(list, mod+"/*")
		}
	}
}
