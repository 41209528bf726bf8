package memory

import "strings"

// proseNouns are what a sentence calls a secret.
var proseNouns = map[string]class{
	"password": password, "passwd": password, "passphrase": password, "passcode": password, "pw": password, "pwd": password, "pass": password,
	"passwort": password, "kennwort": password, "passwords": password, "contraseña": password, "senha": password, "pword": password,
	"secret": shared, "token": machineMade, "key": machineMade, "apikey": machineMade, "secrets": shared, "tokens": machineMade, "keys": machineMade, "otp": machineMade, "license": machineMade,
	"credential": shared, "credentials": shared, "creds": shared, "login": shared, "account": shared, "logins": shared, "zugangsdaten": shared, "pat": machineMade, "cookie": machineMade, "jwt": machineMade, "sid": machineMade,
}

// links lead from a noun to its value.
var links = set(`is was are = : be becomes became equals to from ist lautet es est -> → => := being reads called remains stays enter type`)

// word is one word of a sentence with where it lies, without what is around it.
type word struct {
	text       string
	start, end int
	last       bool // a sentence ends after it
	quoted     bool
}

// scanProse finds secrets that a sentence gives away: the password is x, log in
// as y with z.
func scanProse(c *scan) {
	s := c.text
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 && !isAlnum(s[i]) || i > 0 && (isWord(s[i-1]) || s[i-1] == '-' || s[i-1] == '.' || s[i-1] == '/' || s[i-1] >= 0x80) {
			continue
		}
		n := run(s[:min(len(s), i+16)], i, func(b byte) bool { return isWord(b) || b >= 0x80 })
		noun := strings.ToLower(s[i : i+n])
		k := proseNouns[noun]
		if noun == "in" && i > 3 && (strings.HasSuffix(strings.ToLower(s[max(0, i-7):i]), "log ") || strings.HasSuffix(strings.ToLower(s[max(0, i-7):i]), "logged ") || strings.HasSuffix(strings.ToLower(s[max(0, i-7):i]), "sign ")) {
			noun, k = "login", shared
		}
		if k == noSecret || i+n < len(s) && strings.IndexByte("-(./=", s[i+n]) >= 0 {
			continue
		}
		c.afterNoun(noun, k, i+n)
		c.beforeNoun(k, noun, i)
	}
}

// afterNoun follows a noun to its value: at most 9 words on.
func (c *scan) afterNoun(noun string, k class, at int) {
	linked := false
	if at < len(c.text) && strings.IndexByte(",;.)!?]", c.text[at]) >= 0 {
		return
	}
	for n := 0; n < 9; n++ {
		w, ok := wordAt(c.text, at)
		if !ok {
			return
		}
		l := strings.ToLower(w.text)
		switch {
		case links[l], noun == "login" && l == "with":
			linked = true
		case k == password && w.quoted && (linked || n == 0) && c.phrase(w):
			return
		case k == shared && noun != "secret" && c.pairOf(w):
			return
		case telling(k, w, linked, n == 0 && (noun != "pass" || w.quoted)):
			c.add(w.start, w.end, k.String())
			return
		case linked && !fillers[l]:
			if noun != "login" && noun != "account" && noun[:1] != "c" {
				return
			}
		}
		if w.last || strings.ContainsAny(c.text[w.start:min(len(c.text), w.end+1)], "()[]{}*") {
			return
		}
		linked = linked || strings.HasSuffix(c.text[w.start:min(len(c.text), w.end+1)], ":")
		at = w.end + run(c.text[:min(len(c.text), w.end+3)], w.end, func(b byte) bool { return strings.IndexByte("\"'`*_)", b) >= 0 })
	}
}

// phrase takes out a passphrase in quotes that begins at w.
func (c *scan) phrase(w word) bool {
	q := c.text[w.start-1]
	if q != '"' && q != '\'' && q != '`' {
		return false
	}
	v, at, quoted := quotedValue(c.text, w.start, q)
	if !quoted || !passphrase(v, true) {
		return false
	}
	c.add(at, at+len(v), password.String())
	return true
}

// fillers may stand between a link and a value.
var fillers = set(`now still just set to currently always actually still the a simply only changed reset as be same with and user both`)

// telling says whether a word after a noun is its value.
func telling(k class, w word, linked, next bool) bool {
	v := w.text
	switch {
	case strings.Contains(v, "://") || strings.Contains(v, "/") && k != machineMade && wordy(v):
		return false
	case k == password:
		if linked || w.quoted && next {
			return guessable(v, 5) && (!wordy(v) || classesOf(v).digit > 1 || odd(v)) && !fileLike(v)
		}
		return next && guessable(v, 6) && !fileLike(v) && (!wordy(v) || odd(v)) && classesOf(v).kinds() > 1 && (classesOf(v).kinds() > 2 || len(v) >= 8)
	case k == shared:
		return (linked || w.quoted && next) && guessable(v, 8) && (!wordy(v) || strings.ContainsAny(v, "!#$%^&")) && !fileLike(v) && !strings.Contains(v, "(") || (linked || next) && random(v, 16) && !fileLike(v)
	}
	return !uuid(v) && (linked || next) && (random(v, 18) || allHex(v, 24)) && !fileLike(v) && !strings.Contains(v, "/") || linked && uuid(v)
}

// fileLike says that v is a file's name or an address, or code.
func fileLike(v string) bool {
	if strings.ContainsAny(v, "()[]{}<>|\\") || strings.Contains(v, "::") {
		return true
	}
	if i := strings.LastIndexByte(v, '.'); i > 0 && i < len(v)-1 {
		ext := v[i+1:]
		return len(ext) <= 5 && plainWords(ext) && !odd(v)
	}
	return strings.HasPrefix(v, "@") || strings.HasPrefix(v, "#") || strings.HasPrefix(v, "-")
}

// pairOf takes the password out of admin:password and admin / password.
func (c *scan) pairOf(w word) bool {
	for _, sep := range []string{":", "/"} {
		user, pw, ok := strings.Cut(w.text, sep)
		if !ok {
			continue
		}
		at := w.start + len(user) + len(sep)
		if pw == "" || user == "" { // written with blanks around it
			next, more := wordAt(c.text, w.end)
			if user != "" || pw != "" || !more {
				continue
			}
			pw, at = next.text, next.start
		}
		if run(user, 0, func(b byte) bool { return isWord(b) || b == '-' || b == '.' || b == '@' }) == len(user) && strings.Count(pw, "/") == 0 && (sep == ":" || !strings.Contains(pw, "@")) &&
			guessable(pw, 6) && !fileLike(pw) && (odd(pw) || isMixed(pw)) && (!wordy(pw) || odd(pw)) {
			c.add(at, at+len(pw), "password")
			return true
		}
	}
	return false
}

// beforeNoun looks for "x is the password" and "x as the root password".
func (c *scan) beforeNoun(k class, noun string, at int) {
	if noun == "login" || noun == "account" {
		return
	}
	start := max(0, at-160)
	before := c.text[start:at]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		start, before = start+i+1, before[i+1:]
	}
	words := wordsOf(before, start)
	for i := len(words) - 1; i > 0 && i >= len(words)-5; i-- {
		l := strings.ToLower(words[i].text)
		if l != "is" && l != "as" && l != "was" && l != "being" {
			if words[i].last {
				return
			}
			continue
		}
		w := words[i-1]
		if w.start > start && telling(k, w, true, false) && (w.quoted || odd(w.text) || isMixed(w.text) && !wordy(w.text)) {
			c.add(w.start, w.end, k.String())
		}
		return
	}
}

func wordsOf(s string, offset int) []word {
	var out []word
	for at := 0; ; {
		w, ok := wordAt(s, at)
		if !ok {
			return out
		}
		at = w.end
		w.start, w.end = w.start+offset, w.end+offset
		out = append(out, w)
	}
}

// wordAt is the next word of the line or of the one below.
func wordAt(s string, at int) (word, bool) {
	const outside = "\"'`*_(),;"
	lines := 0
	quoted := false
	for at < len(s) && (isSpace(s[at]) || strings.IndexByte(outside, s[at]) >= 0) {
		if s[at] == '\n' {
			lines++
		}
		quoted = strings.IndexByte("\"'`", s[at]) >= 0
		at++
	}
	if at >= len(s) || lines > 1 {
		return word{}, false
	}
	n := run(s[:min(len(s), at+200)], at, func(b byte) bool { return !isSpace(b) && strings.IndexByte("\"'`", b) < 0 })
	w := word{start: at, end: at + n, quoted: quoted}
	t := strings.TrimRight(s[at:at+n], ".,;:)*_")
	if t == "" {
		t = s[at : at+n]
	}
	w.last = strings.HasSuffix(s[at:at+n], ".") || strings.HasSuffix(s[at:at+n], ";")
	w.text, w.end = t, at+len(t)
	if !quoted { // a mark that ends a sentence may be a password's
		for _, mark := range []string{"!", "?"} {
			if u := strings.TrimSuffix(w.text, mark); u != w.text && plainWords(u) {
				w.text, w.end, w.last = u, at+len(u), true
			}
		}
	}
	return w, w.text != ""
}
