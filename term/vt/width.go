package vt

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// props is what printing needs to know of a rune: its columns in the low bits,
// and whether it can continue a grapheme cluster.
type props uint8

const (
	widthMask props = 3
	// extends marks a rune that belongs to whatever is before it.
	extends props = 1 << 2
	// mayJoin marks a rune that joins some clusters: the second half of a flag,
	// an emoji after a joiner, Hangul, Indic consonants.
	mayJoin props = 1 << 3
	known   props = 1 << 7
)

func (p props) width() int { return int(p & widthMask) }

const pageBits = 7

// pages caches props; they are the same in every emulator. A page is filled
// when one of its runes is first seen, because asking the libraries costs a
// hundred times the look-up and most of Unicode is never printed.
var pages [(utf8.MaxRune + 1) >> pageBits]atomic.Pointer[[1 << pageBits]props]

func propsOf(r rune) props {
	page := pages[r>>pageBits].Load()
	if page == nil {
		page = loadPage(r >> pageBits)
	}
	return page[r&(1<<pageBits-1)]
}

func loadPage(n rune) *[1 << pageBits]props {
	page := new([1 << pageBits]props)
	for i := range page {
		page[i] = computeProps(n<<pageBits | rune(i))
	}
	pages[n].Store(page)
	return page
}

// joiners are clusters that together show every rule of UAX 29 by which a rune
// that does not extend joins its predecessor.
var joiners = []string{"\U0001f1e6", "\u2764\u200d", "\u1100", "\uac00", "\uac01", "\u0915\u094d", "\u0d15\u0d4d", "\u0c95\u0ccd"}

const (
	softHyphen     = '\u00ad'
	halfVoiced     = '\uff9e' // the half-width katakana sound marks
	halfSemiVoiced = '\uff9f'
	emojiStyle     = '\ufe0f' // gives an emoji its two columns
)

func computeProps(r rune) props {
	if r < 0x20 || r >= 0x7f && r < 0xa0 {
		return known
	}
	w := min(max(displaywidth.Rune(r), 0), 2)
	if r == softHyphen || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		w = 1 // terminals show them, the tables for running text do not
	}
	p := known | props(w)
	if r == halfVoiced || r == halfSemiVoiced {
		return p // have a column of their own in all terminals
	}
	if joins("a", r) {
		return p | extends
	}
	for _, j := range joiners {
		if joins(j, r) {
			return p | mayJoin
		}
	}
	return p
}

func joins(cluster string, r rune) bool {
	s := cluster + string(r)
	it := graphemes.FromString(s)
	return it.Next() && len(it.Value()) == len(s)
}

// joinsBytes reports whether b is a single cluster.
func joinsBytes(b []byte) bool {
	it := graphemes.FromBytes(b)
	return it.Next() && len(it.Value()) == len(b)
}

// clusterWidth returns the columns of a cluster that r was just added to and
// that had w before. Only what can be an emoji grows by the emoji style.
func clusterWidth(cluster []byte, r rune, w int) int {
	if r == emojiStyle {
		base, _ := utf8.DecodeRune(cluster)
		keycap := base >= '0' && base <= '9' || base == '#' || base == '*'
		if !keycap && propsOf(base)&mayJoin == 0 {
			return w
		}
	} else if propsOf(r).width() == 0 {
		return w
	}
	return max(1, min(displaywidth.Bytes(cluster), 2))
}
