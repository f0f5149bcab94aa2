package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file allows inline code of R, Julia and Elixir that only computes and prints: each
// name in it is one of a list, or one that the code itself gives a value to. Names of
// functions, modules and macros that are not listed, commands in backticks, code in texts
// and everything that cannot be read plainly ask, as all such code does otherwise.

// plainLanguage is what such code may name. Functions that call another one by its name or
// by a text are in no list.
type plainLanguage struct {
	name      string
	words     string // keywords, constants and functions
	modules   string // of Elixir: modules of which each function only computes or prints
	arguments string // of R: names of arguments that name no file and no function
	tests     string // calls that run the project's own tests, checks and files, with constants as arguments
	qualified string // functions of packages or modules that only compute with what they are given, or tell something
	draws     string // functions that write the file that their first argument names
	reads     string // functions that read the file that their first argument names
	comments  string
}

// plainLanguages: from the manuals of R 4.4 (base, stats and utils), Julia 1.11 (Base and the
// standard library) and Elixir 1.18 (Kernel and the modules that are named).
var plainLanguages = [...]plainLanguage{
	{
		name: "R",
		words: "TRUE FALSE NULL NA NaN Inf T F pi if else for in while repeat function return next break c cat print paste paste0 sprintf format formatC nchar substr toupper tolower trimws strsplit gsub sub grepl regmatches rev sort order unique length seq seq_len seq_along rep sum mean median var sd min max range prod cumsum " +
			"cumprod abs sqrt exp log log2 log10 round floor ceiling trunc table matrix array dim nrow ncol t diag solve det data.frame list names unlist head tail summary str is.na is.null which which.max which.min any all ifelse as.numeric as.integer as.character as.logical numeric character logical integer vector factor levels " +
			"quantile cor runif rnorm rbinom rpois sample set.seed dnorm pnorm qnorm lm coef predict residuals anova t.test invisible message warning stop stopifnot identical all.equal is.numeric is.character nlevels rownames colnames rowSums colSums rowMeans colMeans cbind rbind crossprod append setdiff union intersect " +
			"plot lines points abline legend hist barplot boxplot matplot par axis title mtext density dev.off R.version.string R.version Sys.Date Sys.time sessionInfo packageVersion strtoi bitwAnd bitwOr bitwXor choose factorial gamma beta mtcars iris letters LETTERS month.name x " + rTables + " " + rVerbs + " " + rPackages,
		arguments: "header row.names col.names nrows skip n encoding na.rm sep collapse digits n by length.out each times decreasing width nsmall mean sd min max size replace prob levels labels ncol nrow byrow fixed ignore.case stringsAsFactors probs from to lower.tail main sub xlab ylab xlim ylim col lwd lty pch cex las bty type log mfrow mar legend breaks height units res",
		qualified: "covr::percent_coverage covr::zero_coverage covr::coverage_to_list bench::mark microbenchmark::microbenchmark waldo::compare testthat::expect_equal testthat::expect_true",
		draws:     "png jpeg bmp tiff svg pdf",
		tests:     "testthat::test_local testthat::test_dir testthat::test_file devtools::test devtools::check devtools::document devtools::load_all devtools::test_active_file lintr::lint_package lintr::lint_dir covr::package_coverage styler::style_pkg roxygen2::roxygenise renv::status renv::restore renv::snapshot devtools::check_man devtools::run_examples devtools::lint source rmarkdown::render quarto::quarto_render",
		reads:     "read.csv read.table read.delim readLines readRDS file.exists file.info file.size list.files",
		comments:  "#",
	},
	{
		name: "julia",
		words: "true false nothing missing if else elseif for in while end do begin function return let const using pi Inf NaN print println string repr length size sum prod maximum minimum extrema mean median std var abs sqrt exp log log2 log10 round floor ceil trunc div mod rem gcd lcm sort sort! reverse unique filter map collect range zeros ones rand " +
			"randn push! pop! append! join split replace uppercase lowercase strip startswith endswith occursin parse Int Int64 Float64 String Bool Vector Matrix Dict Set Tuple keys values haskey get zip enumerate count any all findall findfirst isempty first last typeof eltype ndims transpose inv det factorial binomial isprime VERSION " +
			"Statistics LinearAlgebra Random Dates Printf Test Pkg now today isnothing ismissing min max clamp sign iseven isodd digits cumsum diff dot norm reduce foldl " + juliaExports,
		tests:    "Pkg.test Pkg.status Pkg.instantiate Pkg.precompile include",
		reads:    "eachline readlines readline countlines isfile isdir filesize",
		comments: "#",
	},
	{
		name:  "elixir",
		words: "true false nil if else unless do end fn case cond when and or not in for reduce into with is_nil is_list is_map is_integer is_binary length hd tl abs div rem max min round trunc elem tuple_size map_size byte_size inspect to_string",
		qualified: "System.schedulers System.schedulers_online System.version System.build_info System.otp_release System.os_time System.system_time System.monotonic_time System.unique_integer System.endianness System.convert_time_unit Application.loaded_applications Application.started_applications Application.spec " +
			"Process.list Process.info Process.whereis Process.alive? Node.self Node.list Node.alive? Mix.env Mix.target Exception.message Regex.run Regex.scan Regex.match? Regex.replace Regex.split JSON.encode! JSON.decode! JSON.encode JSON.decode " +
			"Jason.encode! Jason.decode! Jason.encode Jason.decode Path.join Path.basename Path.dirname Path.extname Path.rootname Path.split Path.expand Macro.camelize Macro.underscore",
		modules:  "Enum String Integer Float List Map MapSet Keyword Tuple Range Stream Date DateTime Time NaiveDateTime Version URI Base Bitwise",
		comments: "#",
	},
}

// juliaExports are functions, types and values that Julia's Base exports (base/exports.jl of
// JuliaLang/julia at 00013807) and that only compute or print: of its sections on mathematics,
// arrays, searches, collections, texts, output, iteration, identity, missing values and types.
// Those that load, evaluate, open, start or reach something by its name are in no list.
const juliaExports = "Array BigFloat BigInt BitArray BitSet BitVector CartesianIndex CartesianIndices Complex ComplexF64 Colon Dims IOBuffer LinRange Matrix NTuple IdDict Pair Rational Regex Some StepRange SubArray SubString UnitRange Val VersionNumber DimensionMismatch KeyError EOFError ARGS stdout stderr Inf32 NaN32 im " +
	"xor nand nor evalpoly abs2 acos acosh angle asin asinh atan atanh big bitreverse cbrt cis cispi cld cmp complex conj copysign cos cosd cosh cospi cot count_ones count_zeros deg2rad denominator divrem eps exp10 exp2 expm1 exponent fld fld1 fldmod flipsign float tryparse fma frexp gcdx hypot imag invmod isapprox isfinite isinf " +
	"isinteger isnan ispow2 isqrt isreal iszero isone ldexp leading_zeros log1p mod1 modf mod2pi muladd nextfloat nextpow nextprod numerator one oneunit powermod prevfloat prevpow rad2deg rationalize real floatmax floatmin reim rem signbit signed significand sin sinc sincos sind sinh sinpi tan tand tanh trailing_zeros typemax typemin " +
	"unsigned widemul zero axes broadcast cat circshift copy! cumprod accumulate eachcol eachindex eachrow eachslice fill fill! hcat indexin argmax argmin invperm isperm issorted mapslices minmax parent partialsort partialsortperm permute! permutedims prod! reshape reverse! rot180 rotl90 rotr90 selectdim sortperm sortslices dropdims stack " +
	"step stride sum! vcat vec view contains eachmatch findlast findmax findmin findnext findprev match searchsorted searchsortedfirst searchsortedlast insorted adjoint kron falses trues insert! popat! prepend! resize! popfirst! pushfirst! allequal allunique firstindex delete! deleteat! keepat! empty! empty lastindex filter! foldr foreach " +
	"get! getindex getkey intersect isdisjoint issubset issetequal keytype map! mapfoldl mapfoldr mapreduce merge! mergewith merge pairs setdiff setindex! similar splice! symdiff union unique! valtype ascii bitstring bytes2hex chomp chop chopprefix chopsuffix codepoint codeunits eachsplit escape_string hex2bytes isascii isdigit isletter " +
	"islowercase isnumeric ispunct isspace isuppercase lowercasefirst isvalid lpad lstrip ncodeunits ndigits nextind prevind rpad rsplit rstrip textwidth thisind titlecase uppercasefirst displaysize dump printstyled show showerror summary precision setprecision iterate only copy deepcopy hash identity isbits isequal isless ifelse objectid " +
	"sizeof coalesce skipmissing something time time_ns error convert fieldnames fieldtypes propertynames hasfield hasproperty isconcretetype isabstracttype oftype promote promote_type supertype typejoin widen nameof methods ntuple exit basename dirname splitext splitpath joinpath isa throw"

// juliaMacros measure, show or check what stands behind them (base/exports.jl, and Test of the
// standard library).
const juliaMacros = "test testset time show elapsed allocated timed assert inbounds views fastmath simd info warn"

// withoutMacros is code of Julia without such macros.
func withoutMacros(text string) string {
	for at := 0; ; {
		i := firstByte(text[at:], '@')
		if i < 0 {
			return text
		}
		at += i
		n := nameLen(text[at+1:])
		if !hasWord(juliaMacros, text[at+1:at+1+n]) || at > 0 && isNameByte(text[at-1]) || strings.HasPrefix(text[at+1+n:], ".") {
			return text
		}
		text = text[:at] + strings.Repeat(" ", n+1) + text[at+1+n:]
	}
}

// plainElixir says whether signs that may start other literals of Elixir stand in plain texts alone, but
// for & before a function and ? at the end of one's name.
func plainElixir(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end := firstByte(text[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 1
		case firstByte("`\\@~", c) >= 0, c == '?' && (i == 0 || !isNameByte(text[i-1]) || !strings.HasPrefix(text[i:], "?(")):
			return false
		}
	}
	return !strings.ContainsAny(text, "`\\")
}

// elixirPrints are functions of Elixir's IO that only print.
const elixirPrints = "puts inspect write"

// plainCode judges inline code of such a language, which runs for prog; false where it asks
// as inline code that nobody reads.
func (m *machine) plainCode(lang, text string) bool {
	var l *plainLanguage
	for i := range plainLanguages {
		if plainLanguages[i].name == lang {
			l = &plainLanguages[i]
		}
	}
	text = strings.NewReplacer(`\n`, " ", `\t`, " ").Replace(text)
	if lang == "julia" {
		text = withoutMacros(text)
	}
	if l == nil || mark.Has(text) || len(text) > maxTokens || strings.Contains(text, `"""`) || strings.ContainsAny(text, "`\\@&~?") && lang != "R" && (lang != "elixir" || !plainElixir(text)) || strings.ContainsAny(text, "`\\@?") && lang != "elixir" {
		return false
	}
	if lang == "R" && rTable(text) && (strings.Contains(text, "[[") || strings.ContainsAny(text, "$") || strings.Contains(text, "function")) {
		return false // a column may hold functions: they are not to be got at
	}
	c := plainReader{l: l, text: text}
	if !c.learn() || !c.read() {
		return false
	}
	if lang == "R" {
		m.build() // .Rprofile of the directory is run first (R's manual, Startup)
	} else {
		m.spawn(effect.OpRun, m.prog)
	}
	m.plainEffects(&c)
	return true
}

// plainReader reads such code word by word.
type plainReader struct {
	l       *plainLanguage
	text    string
	bound   []string
	calls   []plainCall
	files   []string // that it reads
	drawn   []string // that it writes
	sourced bool     // code of the project was loaded
	reading bool     // what the code gives values to is known
	columns []bool   // of each open parenthesis: names in it may be those of columns
}

// step returns the word, text or sign at i: kind is n for a name, s for a text, d for a
// number, o for a sign, and 0 where it cannot be read.
func (c *plainReader) step(i int) (kind byte, word string) {
	ch := c.text[i]
	switch {
	case ch == '"' || ch == '\'' && c.l.name == "R":
		end := firstByte(c.text[i+1:], ch)
		if end < 0 || strings.ContainsAny(c.text[i+1:i+1+end], "\\$#") && !c.interpolates(c.text[i+1:i+1+end]) {
			return 0, ""
		}
		return 's', c.text[i : i+end+2]
	case ch == '\'' && c.l.name == "julia" && i > 0 && (isNameByte(c.text[i-1]) || c.text[i-1] == ')' || c.text[i-1] == ']'):
		return 'o', "'" // the adjoint of a matrix
	case ch == '\'' || ch >= 0x80 || ch < ' ' && ch != '\n' && ch != '\t':
		return 0, ""
	case ch >= '0' && ch <= '9':
		n := nameLen(c.text[i:])
		return 'd', c.text[i : i+n]
	case isNameByte(ch):
		n := nameLen(c.text[i:])
		for c.l.name == "R" && i+n < len(c.text) && c.text[i+n] == '.' && i+n+1 < len(c.text) && isNameByte(c.text[i+n+1]) {
			n += 1 + nameLen(c.text[i+n+1:])
		}
		if c.l.name == "elixir" && strings.HasPrefix(c.text[i+n:], "?(") {
			n++
		}
		if i+n < len(c.text) && c.text[i+n] == '!' && c.l.name == "julia" && !strings.HasPrefix(c.text[i+n:], "!=") {
			n++
		}
		return 'n', c.text[i : i+n]
	}
	return 'o', c.text[i : i+1]
}

// rTables are functions of dplyr and tidyr that take names of columns of a table as they are
// and compute a table (the reference manuals of dplyr 1.1 and tidyr 1.3), and rPackages the
// packages that they are in and those that are read with them.
const (
	rTables   = "group_by summarise summarize mutate arrange filter select rename count distinct relocate pivot_longer pivot_wider drop_na separate unite"
	rPackages = "dplyr tidyr tibble magrittr"
	rVerbs    = "ungroup n n_distinct desc glimpse if_else case_when coalesce between left_join inner_join right_join full_join anti_join semi_join slice_head slice_tail tibble as_tibble library suppressPackageStartupMessages"
)

// rTable says whether code names one of those functions.
func rTable(text string) bool {
	for _, w := range strings.Fields(rTables) {
		if strings.Contains(text, w+"(") {
			return true
		}
	}
	return false
}

// column says whether a name can only be that of a column: it stands right in the parentheses of
// such a function and is not called, picked from or looked up in a package.
func (c *plainReader) column(after string, last byte) bool {
	return len(c.columns) > 0 && c.columns[len(c.columns)-1] && !strings.HasPrefix(after, "(") && !strings.HasPrefix(after, ":") && !strings.HasPrefix(after, "[") && !strings.HasPrefix(after, "$") && last != ':' && last != '$' && last != '@'
}

// interpolates says whether a text of Julia puts in values of the code's own variables, each by
// its name alone, and nothing else.
func (c *plainReader) interpolates(text string) bool {
	if c.l.name != "julia" || strings.ContainsAny(text, "\\#") {
		return false
	}
	for at := 0; ; {
		i := firstByte(text[at:], '$')
		if i < 0 {
			return true
		}
		at += i + 1
		n := nameLen(text[at:])
		if n == 0 || c.reading && !contains(text[at:at+n], c.bound...) {
			return false
		}
	}
}

// learn notes the names that the code gives values to: behind it stands an assignment, or
// it is a parameter of a function that stands there or a counter of a loop.
func (c *plainReader) learn() bool {
	before := ""
	for i := 0; i < len(c.text); {
		kind, word := c.step(i)
		if kind == 0 {
			return false
		}
		after := strings.TrimLeft(c.text[i+len(word):], " ")
		if kind == 'n' && (strings.HasPrefix(after, "<-") || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") || strings.HasPrefix(after, "->") || strings.HasPrefix(after, "in ") || before == "fn" || before == "function") {
			if c.l.name == "julia" && hasWord(juliaEffects, word) {
				return false // outside of where it is bound the name is that of Base
			}
			c.bound = append(c.bound, word)
		}
		if kind != 'o' || strings.Trim(word, " (\n\t") != "" {
			before = word
		}
		i += len(word)
	}
	return true
}

// juliaEffects are what Base and Core export, or Main holds, that reaches files, programs, memory or
// names (base/exports.jl and boot.jl of Julia 1.11).
const juliaEffects = "run open close write read read! readbytes! unsafe_read unsafe_write rm mv cp touch mkdir mkpath mktemp mktempdir cd chmod chown symlink hardlink download sendfile truncate cptree rename " +
	"include include_string include_dependency evalfile eval Eval macroexpand invokelatest invoke invoke_in_world Expr Main Core Base Meta Libc Sys Threads GC Docs Iterators ENV ARGS PROGRAM_FILE LOAD_PATH DEPOT_PATH Cmd pipeline detach setenv addenv withenv ignorestatus setcpuaffinity " +
	"kill success process_running process_exited exit atexit quit getpid connect listen bind accept redirect_stdout redirect_stderr redirect_stdin redirect_stdio Pipe PipeBuffer IOStream readdir walkdir readlink readchomp readline readlines readuntil eachline stat lstat ls countlines mmap watch_file watch_folder poll_file poll_fd " +
	"ccall cglobal unsafe_load unsafe_store! unsafe_wrap unsafe_copyto! unsafe_string unsafe_pointer_to_objref pointer pointer_from_objref Ptr Ref getproperty setproperty! getfield setfield! getglobal setglobal! swapfield! modifyfield! replacefield! isdefined Task schedule fieldpointer finalizer serialize deserialize Timer Channel"

// read says whether each name is known.
func (c *plainReader) read() bool {
	c.reading = true
	last, depth := byte(0), 0 // the sign before, blanks left out
	var open []bool           // of each parenthesis: it is of a call of a function that takes any argument
	free := false             // the name before is of such a function
	table := false            // the name before is of a function that takes columns of a table
	called := false           // the name before is known
	for i := 0; i < len(c.text); {
		kind, word := c.step(i)
		if kind == 0 {
			return false
		}
		after := strings.TrimLeft(c.text[i+len(word):], " ")
		if kind == 'n' && i+len(word) < len(c.text) && firstByte("\"'", c.text[i+len(word)]) >= 0 && !(c.l.name == "julia" && c.text[i+len(word)] == '\'') {
			return false // it says how the text is read, and where it ends
		}
		if kind == 'o' && word == "#" || kind == 's' && (strings.HasPrefix(after, "(") || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")) {
			return false
		}
		if kind == 'o' {
			depth += strings.Count("(", word) - strings.Count(")", word)
			switch {
			case word == "(":
				open, free = append(open, free), false
				c.columns = append(c.columns, table || called && len(c.columns) > 0 && c.columns[len(c.columns)-1])
				if c.l.name == "R" && (last == ')' || last == ']') && len(c.columns) > 0 && rTable(c.text) {
					return false // a call of what an expression gives
				}
			case word == ")" && len(open) > 0:
				open = open[:len(open)-1]
				c.columns = c.columns[:len(open)]
			}
		}
		if kind == 'n' && last != '.' && last != ':' && last != '$' {
			if call, ok := c.projectCall(i); ok {
				c.sourced = c.sourced || loadsProject(c.text[i:call.end])
				c.calls = append(c.calls, call)
				i, last = call.end, 'x'
				continue
			}
			if file, end, ok := c.readCall(i); ok {
				if hasWord(c.l.draws, word) {
					c.drawn = append(c.drawn, file)
				} else {
					c.files = append(c.files, file)
				}
				i, last, depth, open = end, 'x', depth+1, append(open, false)
				c.columns = append(c.columns, false)
				continue
			}
			if n := c.callee(i); n > 0 && hasWord(c.l.qualified, c.text[i:i+n]) {
				i, last, free = i+n, 'x', true
				continue
			}
		}
		if kind == 's' && c.sourced && reachesOut(strings.Trim(word, `"'`)) {
			return false
		}
		if kind == 'n' && c.l.name == "R" && depth > 0 && strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") && !hasWord(c.l.arguments, word) && !(len(open) > 0 && open[len(open)-1]) {
			return false // cat(file = "|COMMAND") runs one
		}
		table, called = kind == 'n' && c.l.name == "R" && hasWord(rTables, word), kind == 'n' && hasWord(c.l.words, word)
		free = table || kind == 'n' && (c.ownName(word) || word == "function" && c.l.name == "R")
		if kind == 'n' && !c.known(word, after, last) && !c.column(after, last) && !(last != '.' && last != ':' && last != '$' && c.ownName(word)) {
			if n := c.qualified(i); n > 0 && last != '.' && last != ':' && last != '$' {
				i, last = i+n, 'x'
				continue
			}
			return false
		}
		if strings.Trim(word, " \t") != "" {
			last = word[len(word)-1]
			if kind != 'o' {
				last = 'x'
			}
		}
		i += len(word)
	}
	return true
}

// loadsProject says whether a call loads the project's code, so that its functions can be
// called.
func loadsProject(call string) bool {
	return strings.HasPrefix(call, "source(") || strings.HasPrefix(call, "devtools::load_all(")
}

// known says whether a name is listed or bound, where it stands by itself. One that is bound
// is not called: its value could be any function.
func (c *plainReader) known(word, after string, last byte) bool {
	called := strings.HasPrefix(after, "(")
	switch {
	case last == '.' || last == ':' && c.l.name != "elixir":
		return false
	case strings.HasPrefix(after, "::"), c.l.name != "R" && strings.HasPrefix(after, ".") && !c.elementwise(after):
		return false
	case last == '$':
		return c.l.name == "R" && !called
	case c.l.name == "elixir" && last == ':' || strings.HasPrefix(after, ":") && c.l.name == "elixir": // an atom, or a key
		return !strings.HasPrefix(after, ".")
	case hasWord(c.l.words, word):
		return true
	}
	return contains(word, c.bound...) && !called || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
}

// elementwise says whether a point stands before a sign or an argument, and no member: what is
// before it is called, or computed with, for each element (Julia's manual, dot syntax).
func (c *plainReader) elementwise(after string) bool {
	return c.l.name == "julia" && len(after) > 1 && firstByte("(^*+-/=<>!&|", after[1]) >= 0
}

// qualified is the length of a function of one of Elixir's modules with its name.
func (c *plainReader) qualified(i int) int {
	n := nameLen(c.text[i:])
	rest := c.text[i+n:]
	if c.l.modules == "" || !strings.HasPrefix(rest, ".") {
		return 0
	}
	k := nameLen(rest[1:])
	if k > 0 && strings.HasPrefix(rest[1+k:], "?(") {
		k++
	}
	function := rest[1 : 1+k]
	if k == 0 || strings.HasPrefix(rest[1+k:], ".") {
		return 0
	}
	switch module := c.text[i : i+n]; {
	case module == "IO" && hasWord(elixirPrints, function), hasWord(c.l.qualified, module+"."+function), hasWord(c.l.modules, module) && !strings.Contains(function, "atom"):
		return n + 1 + k
	}
	return 0
}
