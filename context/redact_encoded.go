package memory

// scanEncoded finds base64 whose text gives a secret away. It looks one level
// deep: what is encoded twice is not searched.
func scanEncoded(c *scan) {
	s := c.text
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) || i > 0 && (isAlnum(s[i-1]) || s[i-1] == '/' || s[i-1] == '+' || s[i-1] == '-' || s[i-1] == '_') {
			continue
		}
		n := run(s, i, func(b byte) bool { return inAlphabet(std64, b) || b == '-' || b == '_' })
		if n >= 20 && !c.inner {
			if plain, ok := decode64(s[i : i+n]); ok && printable(plain) && holdsSecret(plain) {
				c.add(i, i+n, "base64")
			}
		}
		i += n
	}
}

// holdsSecret looks at a text that was decoded.
func holdsSecret(plain string) bool {
	c := &scan{text: plain, inner: true}
	for _, look := range scanners {
		if look(c); len(c.spans) > 0 {
			return true
		}
	}
	return false
}
