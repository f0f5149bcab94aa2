package shell

import (
	"bytes"
	"compress/gzip"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// fold computes a filter's output where its input is known: the encodings that
// payloads are hidden in.
func fold(name string, args []string, in data) (data, bool) {
	if name == "cat" && len(args) == 0 {
		return in, true
	}
	if !in.known() || len(in.text) > maxText {
		return data{}, false
	}
	decode := false
	for _, a := range args {
		switch a {
		case "-d", "-D", "--decode", "-di", "-id", "--decompress", "-dc", "-cd", "-c":
			decode = decode || a != "-c"
		case "-i", "--ignore-garbage", "-w0":
		default:
			if name != "tr" && name != "xxd" && name != "rev" {
				return data{}, false
			}
		}
	}
	out, ok := folded(name, args, in.text, decode)
	if !ok || len(out) > maxText {
		return data{}, false
	}
	return data{text: cleanBytes(out)}, true
}

func folded(name string, args []string, text string, decode bool) (string, bool) {
	switch name {
	case "base64":
		if !decode {
			return base64.StdEncoding.EncodeToString([]byte(text)) + "\n", true
		}
		return decode64(text)
	case "base32":
		if decode {
			b, err := base32.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
			return string(b), err == nil
		}
	case "xxd":
		return unhexDump(args, text)
	case "rev":
		return reverseLines(text), len(args) == 0
	case "tr":
		return translate(args, text)
	case "gzip", "gunzip", "zcat":
		if decode || name != "gzip" {
			return unzip(text)
		}
	}
	return "", false
}

func decode64(text string) (string, bool) {
	clean := strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	b, err := base64.RawStdEncoding.DecodeString(clean)
	return string(b), err == nil
}

func unhexDump(args []string, text string) (string, bool) {
	flags := strings.Join(args, "")
	if !strings.Contains(flags, "r") || !strings.Contains(flags, "p") {
		return "", false
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	return string(b), err == nil
}

func reverseLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		r := []rune(l)
		for a, b := 0, len(r)-1; a < b; a, b = a+1, b-1 {
			r[a], r[b] = r[b], r[a]
		}
		lines[i] = string(r)
	}
	return strings.Join(lines, "\n")
}

// translate folds tr SET1 SET2 and tr -d SET1.
func translate(args []string, text string) (string, bool) {
	if len(args) != 2 {
		return "", false
	}
	if args[0] == "-d" {
		set, ok := trSet(args[1])
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(set, r) {
				return -1
			}
			return r
		}, text), ok
	}
	from, ok1 := trSet(args[0])
	to, ok2 := trSet(args[1])
	if !ok1 || !ok2 || to == "" {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		i := lastByte(from, byte(r))
		if r > 127 || i < 0 {
			return r
		}
		return rune(to[min(i, len(to)-1)])
	}, text), true
}

func trSet(s string) (string, bool) {
	s = plain(s)
	if strings.Contains(s, "[:") || strings.Contains(s, "[=") || mark.Has(s) {
		return "", false
	}
	s = ansiC(s)
	var b []byte
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i] <= s[i+2] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				b = append(b, byte(c))
			}
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return string(b), true
}

func unzip(text string) (string, bool) {
	r, err := gzip.NewReader(bytes.NewReader([]byte(text)))
	if err != nil {
		return "", false
	}
	return readAll(r)
}

func readAll(r io.Reader) (string, bool) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	return string(b), err == nil && len(b) <= maxText
}
