package memory

import "strings"

// scanBlocks finds private keys in armour, whole or cut off.
func scanBlocks(c *scan) {
	const begin = "-----BEGIN "
	for at := 0; ; {
		i := strings.Index(c.text[at:], begin)
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(begin)
		label := c.text[at : at+run(c.text[:min(len(c.text), at+60)], at, func(b byte) bool { return isUpper(b) || isDigit(b) || b == ' ' })]
		if !strings.Contains(label, "PRIVATE KEY") {
			continue
		}
		body := at + len(label) + len(c.text[at+len(label):]) - len(strings.TrimLeft(c.text[at+len(label):], "-"))
		end := armourEnd(c.text, body)
		if strings.IndexFunc(c.text[body:end], func(r rune) bool { return r < 0x80 && isAlnum(byte(r)) }) < 0 || masked(strings.TrimSpace(stripArmour(c.text[body:end]))) {
			continue // only named
		}
		c.add(start, end, "private-key")
		at = end
	}
	c.putty()
}

func stripArmour(s string) string {
	if i := strings.Index(s, "-----END"); i >= 0 {
		s = s[:i]
	}
	return strings.ReplaceAll(s, `\n`, "")
}

// armourEnd is where armour ends: after its END line, or where what follows is
// base64 no more.
func armourEnd(s string, at int) int {
	end := at
	for i := at; i < len(s); {
		if strings.HasPrefix(s[i:], "-----END ") {
			n := strings.Index(s[i+9:min(len(s), i+80)], "-----")
			if n < 0 {
				return min(len(s), i+9)
			}
			return i + 9 + n + 5
		}
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			n = len(s) - i
		}
		line := s[i : i+n]
		if e := strings.Index(line, "-----END "); e > 0 {
			i += e
			continue
		}
		if !armourLine(line) {
			return end
		}
		end = i + n
		i += n + 1
	}
	return end
}

// armourLine says that a line can be a part of armour: base64, with whatever
// sets it into a document, or a header of it.
func armourLine(line string) bool {
	l := strings.Trim(line, " \t\r\"'+,;\\>#|*/`()}{]")
	l = strings.TrimSuffix(strings.ReplaceAll(l, `\n`, ""), `\r`)
	if name, _, ok := strings.Cut(l, ": "); ok {
		switch name {
		case "Proc-Type", "DEK-Info", "Version", "Comment", "Hash", "Charset":
			return true
		}
	}
	return run(l, 0, func(b byte) bool { return inAlphabet(std64, b) || b == '-' || b == '_' || b == '*' }) == len(l) && (len(l) >= 16 || !plainWords(l) || l == "")
}

// putty finds the private lines of PuTTY's key files.
func (c *scan) putty() {
	const head = "Private-Lines:"
	i := strings.Index(c.text, head)
	if i < 0 {
		return
	}
	n := strings.IndexByte(c.text[i:], '\n')
	if n < 0 {
		return
	}
	if end := armourEnd(c.text, i+n+1); end > i+n+1 {
		c.add(i+n+1, end, "private-key")
	}
}

// hashHeads begin password hashes of crypt(3) and its kin.
var hashHeads = []string{
	"$1$", "$2a$", "$2b$", "$2y$", "$5$", "$6$", "$7$", "$y$", "$apr1$", "$argon2id$", "$argon2i$", "$argon2d$", "$scrypt$", "$pbkdf2",
	"{SSHA}", "{SHA}", "{SMD5}", "{SSHA256}", "{SSHA512}", "{PBKDF2", "pbkdf2_sha256$", "pbkdf2:sha256:", "scrypt:", "SCRAM-SHA-256$", "bcrypt_sha256$", "argon2$argon2",
}

// scanHashes finds hashed passwords, which are there to be guessed.
func scanHashes(c *scan) {
	for i := 0; i < len(c.text); i++ {
		if b := c.text[i]; b != '$' && b != '{' && b != 'p' && b != 's' && b != 'S' && b != 'b' && b != 'a' {
			continue
		}
		for _, h := range hashHeads {
			if !strings.HasPrefix(c.text[i:], h) {
				continue
			}
			n := run(c.text[:min(len(c.text), i+600)], i, func(b byte) bool { return inAlphabet(loose, b) || strings.IndexByte("$,{}:", b) >= 0 })
			v := strings.TrimRight(c.text[i:i+n], ":,.")
			if body := strings.TrimPrefix(v, h); len(v) >= len(h)+20 && classesOf(body).distinct > 8 && !masked(body) && strings.LastIndexAny(v, "$}") > 0 {
				c.add(i, i+len(v), "password-hash")
				i += len(v) - 1
				break
			}
		}
	}
}
