package memory

import "strings"

// schemes precede credentials in an Authorization header.
var schemes = set(`bearer basic token digest apikey api-key key ssws geniekey bot oauth splunk negotiate aws4-hmac-sha256 sharedkey hmac dpop apitoken zoho-oauthtoken`)

// scanHeaders finds credentials of HTTP: Authorization with its scheme, a bare
// Bearer, cookies.
func scanHeaders(c *scan) {
	for at := 0; at < len(c.text); at++ {
		if b := c.text[at] | 0x20; b != 'a' && b != 'b' && b != 'c' || !tokenStart(c.text, at) && (at == 0 || c.text[at-1] != '_') {
			continue
		}
		word := lowerWord(c.text, at)
		switch word {
		case "authorization":
			c.authorization(at + len(word))
		case "bearer", "basic":
			c.credentials(word, at+len(word), false)
		case "cookie":
			if n := at + len(word); n < len(c.text) && c.text[n] == ':' {
				c.cookies(n + 1)
			}
		}
	}
}

// lowerWord is the word at i in small letters, at most 16 bytes of it.
func lowerWord(s string, i int) string {
	n := run(s[:min(len(s), i+17)], i, func(b byte) bool { return isLower(b | 0x20) })
	return strings.ToLower(s[i : i+n])
}

// authorization reads what follows the header's name.
func (c *scan) authorization(at int) {
	n := run(c.text[:min(len(c.text), at+12)], at, func(b byte) bool { return isBlank(b) || strings.IndexByte(`:="'\,(`, b) >= 0 })
	if n == 0 || !strings.ContainsAny(c.text[at:at+n], ":=,(") {
		return
	}
	at += n
	word := c.text[at : at+run(c.text[:min(len(c.text), at+24)], at, func(b byte) bool { return isAlnum(b) || b == '-' })]
	if schemes[strings.ToLower(word)] {
		c.credentials(strings.ToLower(word), at+len(word), true)
		return
	}
	if v := headerValue(c.text, at); random(v, 16) || allHex(v, 16) || uuid(v) {
		c.add(at, at+len(v), "authorization")
	}
}

// credentials reads what follows a scheme.
func (c *scan) credentials(scheme string, at int, sure bool) {
	n := run(c.text[:min(len(c.text), at+8)], at, func(b byte) bool {
		return isBlank(b) || b == '=' || b == ':' || b == '"' || b == '+' || b == '\'' || b == '`'
	})
	if n == 0 {
		return
	}
	at += n
	v := headerValue(c.text, at)
	switch scheme {
	case "basic":
		user, pw, ok := "", "", false
		if plain, valid := decode64(v); valid && len(v) >= 6 && printable(plain) {
			user, pw, ok = strings.Cut(plain, ":")
		}
		if ok && user != "" && pw != "" && !placeholder(pw) || sure && !ok && random(v, 10) {
			c.add(at, at+len(v), "authorization")
		}
	case "aws4-hmac-sha256", "digest", "hmac":
		c.signature(at)
	default:
		if random(v, 12) || uuid(v) || allHex(v, 16) || sure && guessable(v, 6) && !wordy(v) {
			c.add(at, at+len(v), "authorization")
		}
	}
}

// signature takes the proof out of a scheme with parameters.
func (c *scan) signature(at int) {
	line := c.text[at : at+run(c.text[:min(len(c.text), at+longestValue)], at, func(b byte) bool { return b != '\n' })]
	for _, name := range []string{"Signature=", "signature=\"", "response=\"", "mac=\""} {
		if i := strings.Index(line, name); i >= 0 {
			i += len(name)
			if v := headerValue(line, i); len(v) >= 16 && !placeholder(v) {
				c.add(at+i, at+i+len(v), "authorization")
			}
		}
	}
}

// headerValue is the token at i.
func headerValue(s string, i int) string {
	n := run(s[:min(len(s), i+longestValue)], i, func(b byte) bool {
		return !isSpace(b) && strings.IndexByte("\"'`<>,;()", b) < 0
	})
	return strings.TrimRight(strings.TrimSuffix(s[i:i+n], `\`), ".")
}

// plainCookies hold no login.
var plainCookies = set(`path domain expires max-age samesite theme lang language locale tz timezone consent version priority`)

// cookies takes out the values of a Cookie or Set-Cookie header.
func (c *scan) cookies(at int) {
	end := at + run(c.text[:min(len(c.text), at+longestValue)], at, func(b byte) bool { return b != '\n' && b != '"' && b != '\'' })
	for at < end {
		n := strings.IndexByte(c.text[at:end], ';')
		if n < 0 {
			n = end - at
		}
		name, v, ok := strings.Cut(c.text[at:at+n], "=")
		trimmed := strings.TrimSpace(v)
		if ok && !plainCookies[strings.ToLower(strings.TrimSpace(name))] && (random(trimmed, 12) || allHex(trimmed, 16) || uuid(trimmed)) {
			start := at + len(name) + 1 + strings.Index(v, trimmed)
			c.add(start, start+len(trimmed), "cookie")
		}
		at += n + 1
	}
}
