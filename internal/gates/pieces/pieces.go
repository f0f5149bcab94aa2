// Package pieces holds the texts of a table in few bytes.
//
// A text is told as a row of pieces: letters, and pairs of pieces that were often
// neighbours when the pairs were learned (package programs learns them and writes the
// codes; Larsson and Moffat, Off-line dictionary-based compression, Proc. IEEE 88 (2000), is where the idea
// is from). Each text is read by itself, and in the time that its bytes take, which is why
// it is no stream of compress/flate: there a program that looks up one name inflates the
// names beside it too.
//
// What belongs here: the pairs and how codes are read. What never does: what the texts
// mean, and anything that writes codes.
package pieces

// letters is how many symbols stand for themselves: all of ASCII. Symbol letters+i is
// pair i.
const letters = 0x80

// A code is a row of symbols. A letter is its byte. The first short pairs have a byte
// each from letters on, and the others two: one of the leads that end at 0xFF, and a byte
// that is no control character, so that a table can part its rows with one.
const (
	blank   = 0x20
	seconds = 0x100 - blank
	leads   = (len(pairs) - letters + seconds - 2) / (seconds - 1)
	short   = letters - leads
)

// Text reads a code. It takes one that [Code] and letters make up; of another byte at the
// end it makes nothing.
func Text(code string) string {
	text := make([]byte, 0, 4*len(code))
	for i := 0; i < len(code); i++ {
		symbol := int(code[i])
		if symbol >= letters+short {
			i++
			if i == len(code) {
				break
			}
			symbol = letters + short + (symbol-letters-short)*seconds + int(code[i]) - blank
		}
		text = add(text, uint16(symbol))
	}
	return string(text)
}

func add(text []byte, symbol uint16) []byte {
	for symbol >= letters {
		p := &pairs[symbol-letters]
		text = add(text, p[0])
		symbol = p[1]
	}
	return append(text, byte(symbol))
}

// Count is how many pairs there are.
func Count() int { return len(pairs) }

// Code is the code of pair i.
func Code(i int) string {
	if i < short {
		return string([]byte{byte(letters + i)})
	}
	i -= short
	return string([]byte{byte(letters + short + i/seconds), byte(blank + i%seconds)})
}
