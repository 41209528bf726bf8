package vt

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"deck/term/screen"
)

// rgb is a colour as queries give it.
type rgb struct{ r, g, b uint8 }

// colors are what colour queries answer. Programs may set them; the screen is
// drawn in the colours of the person's terminal all the same.
type colors struct {
	base    [3]rgb // foreground, background, cursor, as the owner said
	entries map[uint8]rgb
	dynamic [3]rgb // as the program set them since
	palette map[uint8]rgb
}

func defaultColors() colors {
	c := colors{base: [3]rgb{{0xe5, 0xe5, 0xe5}, {0, 0, 0}, {0xe5, 0xe5, 0xe5}}}
	c.reset()
	return c
}

func (c *colors) reset() { c.dynamic, c.palette = c.base, nil }

// SetColors says which colours the person's terminal has, for programs that
// ask (OSC 10, 11, 12). A colour that is not RGB leaves what was there, but a
// cursor without one has the foreground's. It tells a program that wants to know when the background turns dark or light.
func (e *Emulator) SetColors(fg, bg, cursor screen.Color) {
	if _, _, _, ok := cursor.RGB(); !ok {
		cursor = fg
	}
	for i, c := range []screen.Color{fg, bg, cursor} {
		r, g, b, ok := c.RGB()
		if !ok {
			continue
		}
		was := e.colors.base[i]
		e.colors.base[i] = rgb{r, g, b}
		if e.colors.dynamic[i] == was { // not set by the program
			e.colors.dynamic[i] = e.colors.base[i]
		}
	}
	bgc := e.colors.base[1]
	dark := 299*int(bgc.r)+587*int(bgc.g)+114*int(bgc.b) < 128*1000
	if dark != e.dark {
		e.dark = dark
		if e.mode(modeScheme) {
			e.reportScheme()
		}
	}
}

// SetPalette says what entry n of the person's palette is, for OSC 4.
func (e *Emulator) SetPalette(n uint8, c screen.Color) {
	r, g, b, ok := c.RGB()
	if !ok {
		return
	}
	if e.colors.entries == nil {
		e.colors.entries = map[uint8]rgb{}
	}
	e.colors.entries[n] = rgb{r, g, b}
}

func (e *Emulator) reportScheme() {
	n := 2
	if e.dark {
		n = 1
	}
	e.reply(fmt.Appendf(nil, "\x1b[?997;%dn", n))
}

var ansi16 = [16]rgb{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
}

// entry returns palette entry n, xterm's where nobody said otherwise.
func (c *colors) entry(n uint8) rgb {
	if v, ok := c.palette[n]; ok {
		return v
	}
	if v, ok := c.entries[n]; ok {
		return v
	}
	switch {
	case n < 16:
		return ansi16[n]
	case n >= 232:
		v := 8 + 10*(n-232)
		return rgb{v, v, v}
	}
	n -= 16
	level := func(i uint8) uint8 {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	return rgb{level(n / 36), level(n / 6 % 6), level(n % 6)}
}

// spec is the form in which xterm reports a colour.
func (c rgb) spec() string {
	return fmt.Sprintf("rgb:%02x%02x/%02x%02x/%02x%02x", c.r, c.r, c.g, c.g, c.b, c.b)
}

// parseColor reads "rgb:r/g/b" with one to four digits each and "#rrggbb" with
// one, two or four.
func parseColor(s string) (rgb, bool) {
	var parts []string
	if h, ok := strings.CutPrefix(s, "#"); ok && (len(h) == 3 || len(h) == 6 || len(h) == 12) {
		n := len(h) / 3
		parts = []string{h[:n], h[n : 2*n], h[2*n:]}
	} else if h, ok := strings.CutPrefix(s, "rgb:"); ok {
		parts = strings.Split(h, "/")
	}
	if len(parts) != 3 {
		return rgb{}, false
	}
	var out [3]uint8
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return rgb{}, false
		}
		out[i] = uint8(v * 255 / (1<<(4*len(p)) - 1))
	}
	return rgb{out[0], out[1], out[2]}, true
}

// oscPalette is OSC 4: pairs of an index and a colour or a question mark.
func (e *Emulator) oscPalette(_ int, data []byte, bel bool) {
	for len(data) > 0 {
		var index, spec []byte
		index, data, _ = bytes.Cut(data, []byte{';'})
		spec, data, _ = bytes.Cut(data, []byte{';'})
		n, err := strconv.ParseUint(string(index), 10, 8)
		if err != nil {
			continue
		}
		if string(spec) == "?" {
			e.replyOSC(fmt.Sprintf("4;%d;%s", n, e.colors.entry(uint8(n)).spec()), bel)
		} else if c, ok := parseColor(string(spec)); ok {
			if e.colors.palette == nil {
				e.colors.palette = map[uint8]rgb{}
			}
			e.colors.palette[uint8(n)] = c
		}
	}
}

// oscPaletteReset is OSC 104.
func (e *Emulator) oscPaletteReset(_ int, data []byte, _ bool) {
	if len(data) == 0 {
		e.colors.palette = nil
	}
	for f := range bytes.SplitSeq(data, []byte{';'}) {
		if n, err := strconv.ParseUint(string(f), 10, 8); err == nil {
			delete(e.colors.palette, uint8(n))
		}
	}
}

// oscDynamic is OSC 10, 11 and 12; each further field is the next number's.
func (e *Emulator) oscDynamic(n int, data []byte, bel bool) {
	for f := range bytes.SplitSeq(data, []byte{';'}) {
		if n > 12 {
			return
		}
		if string(f) == "?" {
			e.replyOSC(fmt.Sprintf("%d;%s", n, e.colors.dynamic[n-10].spec()), bel)
		} else if c, ok := parseColor(string(f)); ok {
			e.colors.dynamic[n-10] = c
		}
		n++
	}
}

// oscDynamicReset is OSC 110, 111 and 112.
func (e *Emulator) oscDynamicReset(n int, _ []byte, _ bool) {
	e.colors.dynamic[n-110] = e.colors.base[n-110]
}
