package shell

// nodeComputes are further modules of Node.js that only compute, tell the time or wait
// (nodejs.org/api, version 22).
const nodeComputes = "assert/strict async_hooks diagnostics_channel path/posix path/win32 perf_hooks punycode stream stream/promises string_decoder timers timers/promises util/types zlib"

// npmComputes are packages of npm that only compute with what they are given: none makes code of a
// text, looks functions up by names in a text, reads or writes files, or speaks to a machine. From
// knowledge of their manuals, not from their sources.
const npmComputes = "@noble/ciphers @noble/curves @noble/hashes @noble/hashes/sha256 @noble/hashes/sha2 @noble/hashes/utils @scure/base @sinclair/typebox @sinclair/typebox/value @std/collections @std/csv @std/datetime @std/encoding @std/fmt @std/semver @std/text " +
	"ansi-colors ansi-regex ansi-styles array-flatten base64-js bcryptjs big-integer big.js bignumber.js bn.js bytes camelcase camelcase-keys chalk change-case class-variance-authority classnames cli-table3 clone clsx color color-convert color-name colord colorette content-type cookie " +
	"cronstrue crypto-js csv-parse/sync csv-stringify/sync currency.js d3-array d3-format d3-scale d3-shape d3-time-format date-fns date-fns-tz date-fns/locale dayjs decimal.js decimal.js-light deep-equal deepmerge defu dequal destr diff dinero.js drizzle-orm/mysql-core drizzle-orm/pg-core " +
	"drizzle-orm/sqlite-core emoji-regex entities escape-html escape-string-regexp eventemitter3 fast-deep-equal fast-json-stable-stringify fast-levenshtein fastest-levenshtein fast-xml-parser fflate filesize fp-ts fp-ts/Array fp-ts/Either fp-ts/Option fp-ts/Task fp-ts/TaskEither fp-ts/function fraction.js " +
	"fuse.js gl-matrix hash-sum he html-entities http-status-codes humanize-duration iconv-lite immer indent-string ini io-ts is-number is-plain-obj is-plain-object itertools js-base64 js-sha256 js-tokens json-stable-stringify json5 jsonc-parser jsonwebtoken kleur kolorist " +
	"leven libphonenumber-js linkify-it long lru-cache luxon magic-string markdown-it marked md5 micromatch mime-types minimatch mitt mri ms nanoevents nanoid natural-compare neverthrow normalize-url object-hash object-inspect ohash p-limit p-map p-queue p-retry " +
	"path-to-regexp pathe picocolors picomatch pluralize pretty-bytes pretty-format pretty-ms pure-rand qs query-string quick-lru remove-accents reselect rfdc rrule rxjs rxjs/operators safe-stable-stringify seedrandom semver shell-quote short-uuid slash slugify smol-toml sprintf-js statuses " +
	"string-width strip-ansi strip-bom strip-json-comments strnum superjson superstruct tailwind-merge throttle-debounce tiny-emitter tiny-invariant tinycolor2 tinyspy title-case toml ts-dedent ts-pattern tslib turndown type-fest uid ulid ulidx unorm uri-js url-join url-parse uuid valibot validator voca " +
	"wcwidth word-wrap wordwrap wrap-ansi xml-js xmlbuilder2 xxhashjs yaml yargs-parser yocto-queue zod zod-validation-error zod/v3 zod/v4"
