package screen

import "fmt"

// Color is a cell's colour in four bytes: the terminal's default, one of its
// 256 palette entries, or 24-bit RGB. The zero value is the default colour.
type Color uint32

const (
	kindPalette Color = 1 << 24
	kindRGB     Color = 2 << 24
	kindMask    Color = 0xff << 24
)

// Default is the terminal's own foreground or background.
const Default Color = 0

// Palette returns entry n of the 256-colour palette.
func Palette(n uint8) Color { return kindPalette | Color(n) }

// RGB returns a 24-bit colour.
func RGB(r, g, b uint8) Color {
	return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// IsDefault reports whether c is the terminal's own colour.
func (c Color) IsDefault() bool { return c&kindMask == 0 }

// Index returns the palette entry, and false where c is not one.
func (c Color) Index() (uint8, bool) { return uint8(c), c&kindMask == kindPalette }

// RGB returns the three components, and false where c is not a 24-bit colour.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&kindMask == kindRGB
}

// String returns "" for the default, "17" for a palette entry and "#0a0b0c"
// for RGB: the form that `deck debug screen` prints.
func (c Color) String() string {
	if n, ok := c.Index(); ok {
		return fmt.Sprint(n)
	}
	if r, g, b, ok := c.RGB(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return ""
}
