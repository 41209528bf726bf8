package paint

import "deck/term/screen"

// ansi16 is what a terminal's first sixteen palette entries usually look like
// (xterm's defaults).
var ansi16 = [16][3]uint8{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
}

// components returns the red, green and blue of a colour that is not the
// default.
func components(c screen.Color) (r, g, b uint8) {
	if r, g, b, ok := c.RGB(); ok {
		return r, g, b
	}
	n, _ := c.Index()
	switch {
	case n < 16:
		v := ansi16[n]
		return v[0], v[1], v[2]
	case n >= 232:
		v := 8 + 10*(n-232)
		return v, v, v
	}
	n -= 16
	return cube(n / 36), cube(n / 6 % 6), cube(n % 6)
}

// cube returns the intensity of step i of the 6×6×6 colour cube.
func cube(i uint8) uint8 {
	if i == 0 {
		return 0
	}
	return 55 + 40*i
}

// step returns the step of the colour cube that is nearest to v.
func step(v uint8) uint8 {
	switch {
	case v < 48:
		return 0
	case v < 115:
		return 1
	}
	return (v - 35) / 40
}

// distance is how different two colours look: squared differences, weighted by
// how strongly the eye sees each component around that red.
func distance(r1, g1, b1, r2, g2, b2 uint8) int {
	mean := (int(r1) + int(r2)) / 2
	r, g, b := int(r1)-int(r2), int(g1)-int(g2), int(b1)-int(b2)
	return (512+mean)*r*r>>8 + 4*g*g + (767-mean)*b*b>>8
}

// to256 returns the palette entry nearest to a 24-bit colour, of the cube or
// of the greys: the first sixteen look different on every terminal.
func to256(c screen.Color) screen.Color {
	r, g, b, ok := c.RGB()
	if !ok {
		return c
	}
	x, y, z := step(r), step(g), step(b)
	level := (int(r) + int(g) + int(b)) / 3
	grey := uint8(min(max((level-3)/10, 0), 23))
	v := 8 + 10*grey
	if distance(r, g, b, v, v, v) < distance(r, g, b, cube(x), cube(y), cube(z)) {
		return screen.Palette(232 + grey)
	}
	return screen.Palette(16 + 36*x + 6*y + z)
}

// to16 returns the nearest of the sixteen colours every colour terminal has.
// A colour with a hue keeps one: a dark blue is blue rather than black.
func to16(c screen.Color) screen.Color {
	if n, ok := c.Index(); ok && n < 16 || c.IsDefault() {
		return c
	}
	r, g, b := components(c)
	hi, lo := max(r, g, b), min(r, g, b)
	coloured := int(hi)-int(lo) > 40 && int(hi)-int(lo) > int(hi)/3
	best, at := 1<<62, uint8(0)
	for i, v := range ansi16 {
		grey := i == 0 || i == 7 || i == 8 || i == 15
		if grey == coloured {
			continue
		}
		if d := distance(r, g, b, v[0], v[1], v[2]); d < best {
			best, at = d, uint8(i)
		}
	}
	return screen.Palette(at)
}

// degrade returns the nearest colour that the depth has. It is slow and need
// not be fast: the painter keeps its results by style.
func (d ColorDepth) degrade(c screen.Color) screen.Color {
	switch d {
	case NoColor:
		return screen.Default
	case Color16:
		return to16(c)
	case Color256:
		return to256(c)
	}
	return c
}

// luminance is the brightness of a colour as the eye weighs it, between 0 for black and 1 for white.
func luminance(c screen.Color) float64 {
	r, g, b := components(c)
	return (0.299*float64(r) + 0.587*float64(g) + 0.114*float64(b)) / 255
}

// degrade returns the style as near as the terminal can show it. Text whose
// colour would become that of its background is made black or white.
func (p Profile) degrade(st screen.Style) screen.Style {
	fg, bg := st.Fg, st.Bg
	st.Fg, st.Bg = p.Colors.degrade(fg), p.Colors.degrade(bg)
	if st.Fg == st.Bg && fg != bg && !st.Bg.IsDefault() {
		st.Fg = screen.Palette(15)
		if luminance(st.Bg) > 0.5 {
			st.Fg = screen.Palette(0)
		}
	}
	st.UnderlineColor = p.Colors.degrade(st.UnderlineColor)
	if !p.UnderlineColors || st.Underline == screen.NoUnderline {
		st.UnderlineColor = screen.Default
	}
	if !p.Underlines && st.Underline != screen.NoUnderline {
		st.Underline = screen.SingleUnderline
	}
	if st.Attr&screen.RapidBlink != 0 {
		st.Attr = st.Attr&^screen.RapidBlink | screen.Blink
	}
	st.Attr &^= screen.Protected
	if !p.Links {
		st.Link = 0
	}
	return st
}
