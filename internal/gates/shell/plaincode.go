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
	qualified string // functions of packages that only compute with what they are given
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
			"plot lines points abline legend hist barplot boxplot matplot par axis title mtext density dev.off R.version.string R.version Sys.Date Sys.time sessionInfo packageVersion strtoi bitwAnd bitwOr bitwXor choose factorial gamma beta mtcars iris letters LETTERS month.name x",
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
			"Statistics LinearAlgebra Random Dates Printf Test Pkg now today isnothing ismissing min max clamp sign iseven isodd digits cumsum diff dot norm reduce foldl",
		tests:    "Pkg.test Pkg.status Pkg.instantiate Pkg.precompile include",
		comments: "#",
	},
	{
		name:     "elixir",
		words:    "true false nil if else unless do end fn case cond when and or not in for reduce into with is_nil is_list is_map is_integer is_binary length hd tl abs div rem max min round trunc elem tuple_size map_size byte_size inspect to_string",
		modules:  "Enum String Integer Float List Map MapSet Keyword Tuple Range Stream Date DateTime Time NaiveDateTime Version URI Base Bitwise",
		comments: "#",
	},
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
	if l == nil || mark.Has(text) || len(text) > maxTokens || strings.ContainsAny(text, "`\\@&~?") && lang != "R" || strings.ContainsAny(text, "`\\@?") {
		return false
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
}

// step returns the word, text or sign at i: kind is n for a name, s for a text, d for a
// number, o for a sign, and 0 where it cannot be read.
func (c *plainReader) step(i int) (kind byte, word string) {
	ch := c.text[i]
	switch {
	case ch == '"' || ch == '\'' && c.l.name == "R":
		end := strings.IndexByte(c.text[i+1:], ch)
		if end < 0 || strings.ContainsAny(c.text[i+1:i+1+end], "\\$#") {
			return 0, ""
		}
		return 's', c.text[i : i+end+2]
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
		if i+n < len(c.text) && c.text[i+n] == '!' && c.l.name == "julia" && !strings.HasPrefix(c.text[i+n:], "!=") {
			n++
		}
		return 'n', c.text[i : i+n]
	}
	return 'o', c.text[i : i+1]
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
			c.bound = append(c.bound, word)
		}
		if kind != 'o' || strings.Trim(word, " (\n\t") != "" {
			before = word
		}
		i += len(word)
	}
	return true
}

// read says whether each name is known.
func (c *plainReader) read() bool {
	last, depth := byte(0), 0 // the sign before, blanks left out
	var open []bool           // of each parenthesis: it is of a call of a function that takes any argument
	free := false             // the name before is of such a function
	for i := 0; i < len(c.text); {
		kind, word := c.step(i)
		if kind == 0 {
			return false
		}
		after := strings.TrimLeft(c.text[i+len(word):], " ")
		if kind == 'o' && word == "#" || kind == 's' && (strings.HasPrefix(after, "(") || strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")) {
			return false
		}
		if kind == 'o' {
			depth += strings.Count("(", word) - strings.Count(")", word)
			switch {
			case word == "(":
				open, free = append(open, free), false
			case word == ")" && len(open) > 0:
				open = open[:len(open)-1]
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
		free = kind == 'n' && c.ownName(word, after)
		if kind == 'n' && !c.known(word, after, last) && !(last != '.' && last != ':' && last != '$' && c.ownName(word, after)) {
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
	case strings.HasPrefix(after, "::"), c.l.name != "R" && strings.HasPrefix(after, "."):
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

// qualified is the length of a function of one of Elixir's modules with its name.
func (c *plainReader) qualified(i int) int {
	n := nameLen(c.text[i:])
	rest := c.text[i+n:]
	if c.l.modules == "" || !strings.HasPrefix(rest, ".") {
		return 0
	}
	k := nameLen(rest[1:])
	function := rest[1 : 1+k]
	if k == 0 || strings.HasPrefix(rest[1+k:], ".") {
		return 0
	}
	switch module := c.text[i : i+n]; {
	case module == "IO" && hasWord(elixirPrints, function), hasWord(c.l.modules, module) && !strings.Contains(function, "atom"):
		return n + 1 + k
	}
	return 0
}
