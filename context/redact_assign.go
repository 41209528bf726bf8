package memory

import "strings"

// What is looked at to decide, in bytes. A value that is longer is a secret or
// none by its beginning, and goes whole.
const (
	longestName  = 80
	longestValue = 512
)

// scanAssignments finds values that are secret for their name's sake: in
// environments, INI, YAML, JSON, TOML, XML, SQL, code, tables and URL queries.
func scanAssignments(c *scan) {
	var named pair
	for i := 0; i < len(c.text); i++ {
		switch c.text[i] {
		case '=', ':', '>', '(', '|', ',':
			before := len(c.spans)
			if c.assignment(i, &named); len(c.spans) > before {
				i = c.spans[len(c.spans)-1].end - 1
			}
		}
	}
}

// pair remembers that a name stood as a value: name: DB_PASSWORD, value: x.
type pair struct {
	words []string
	class class
	at    int
}

// assignment looks at the operator at i.
func (c *scan) assignment(i int, named *pair) {
	op := c.text[i]
	name, start, quotedName := nameBefore(c.text, i)
	if name == "" || !c.operator(i, start, quotedName) {
		return
	}
	words := c.withWordsBefore(splitName(name), start)
	k := classify(words)
	c.secondOfTwo(words, i)
	if k == noSecret && len(words) > 0 && words[len(words)-1] == "default" {
		words = variable(c.text[max(0, i-200):i])
		k = classify(words)
	}
	if k == noSecret {
		if k, words = named.resolve(words, i); k == noSecret {
			named.remember(c.text, words, i)
			return
		}
	}
	if op == ':' && i+1 < len(c.text) && c.text[i+1] == '=' {
		i++
	}
	v, at, quoted := valueAfter(c.text, i+1)
	c.value(valueOf{words, k, op, v, at, quoted, name, start})
}

// variable is the name of the Terraform variable that text ends in.
func variable(text string) []string {
	i := strings.LastIndex(text, `variable "`)
	if i < 0 || strings.Contains(text[i:], "}") {
		return nil
	}
	name, _, _ := strings.Cut(text[i+len(`variable "`):], `"`)
	return splitName(name)
}

// secondOfTwo takes the password out of auth("user", "password").
func (c *scan) secondOfTwo(words []string, i int) {
	if len(words) == 0 {
		return
	}
	switch words[len(words)-1] {
	case "auth", "login", "credential", "credentials":
	default:
		return
	}
	at := i + run(c.text[:min(len(c.text), i+4)], i, func(b byte) bool { return b == '=' || b == '(' || b == ' ' })
	if c.text[at-1] != '(' || at >= len(c.text) || c.text[at] != '"' && c.text[at] != '\'' {
		return
	}
	user, start, _ := quotedValue(c.text, at+1, c.text[at])
	comma := start + len(user) + 1
	if comma >= len(c.text) || c.text[comma] != ',' {
		return
	}
	if v, at, quoted := valueAfter(c.text, comma+1); quoted && guessable(v, 6) {
		c.add(at, at+len(v), "password")
	}
}

// operator says that what is at i ties the name before it to a value.
func (c *scan) operator(i, start int, quoted bool) bool {
	switch s := c.text; {
	case s[i] == '>' && (start == 0 || s[start-1] != '<') && s[i-1] != '=' && s[i-1] != '-':
		return false // neither a tag nor an arrow
	case s[i] == '=' && (s[start:i] == "PWD" || s[start:i] == "OLDPWD") && (start == 0 || s[start-1] != ';'):
		return false // the working directory, but in a connection string
	case s[i] == ',' && (!quoted || start < 2 || s[start-2] != '('):
		return false // only ("NAME", "value")
	case !quoted && start > 0 && i+1 < len(s) && s[i+1] == s[start-1] && (s[i+1] == '"' || s[i+1] == '\''):
		return false // "NAME=" + value
	}
	return true
}

// resolve says what a value called just "value" stands for.
func (p *pair) resolve(words []string, at int) (class, []string) {
	if len(words) == 0 || p.class == noSecret || at-p.at > 200 {
		return noSecret, words
	}
	if last := words[len(words)-1]; last != "value" && last != "val" && last != "default" && last != "content" && last != "string" {
		return noSecret, words
	}
	k := p.class
	p.class = noSecret
	return k, p.words
}

func (p *pair) remember(text string, words []string, at int) {
	if len(words) == 0 {
		return
	}
	switch words[len(words)-1] {
	case "name", "key", "id", "field", "variable", "parameter", "property":
		if v, _, _ := valueAfter(text[:min(len(text), at+longestName)], at+1); v != "" {
			p.words = splitName(v)
			p.class, p.at = classify(p.words), at
		}
	}
}

// valueOf is one name with its value.
type valueOf struct {
	words  []string
	class  class
	op     byte
	text   string
	at     int
	quoted bool
	name   string
	nameAt int
}

func (c *scan) value(v valueOf) {
	rule := nameRule(v.words, v.class)
	strict := v.op == '=' && (strings.ToUpper(v.name) == v.name && strings.ToLower(v.name) != v.name || c.envLike(v))
	switch {
	case v.op == '(' && !v.quoted, v.op == ',' && !v.quoted:
		return
	case v.op == '>' && v.nameAt > 0 && c.text[v.nameAt-1] == '<' && (v.at+len(v.text) >= len(c.text) || c.text[v.at+len(v.text)] != '<'):
		return // a placeholder in angle brackets, no element
	case v.op == '|' && (strings.ContainsAny(v.text, " ") || v.text == ""):
		return
	case v.text == "" || v.text == "|" || v.text == ">" || v.text == "|-" || v.text == ">-" || v.text == "|+":
		c.blockBelow(v, rule)
		return
	case v.text[0] == '[' && !v.quoted:
		c.list(v, rule)
		return
	}
	if v.class == password && v.op == ':' && !v.quoted {
		v.text = googleApp(c.text, v.at, v.text)
	}
	if n := len(v.words); n > 0 && v.words[n-1] == "pin" && run(v.text, 0, isDigit) != len(v.text) {
		return
	}
	if leaked(v.class, v.text, strict, v.quoted) || v.network() || c.setting(v) {
		c.add(v.at, v.at+len(v.text), rule)
	}
}

// network says that a value is the key of a wireless network, which may be
// words only.
func (v valueOf) network() bool {
	n := len(v.words)
	return n > 0 && (v.words[n-1] == "psk" || n > 1 && networks[v.words[n-2]]) && v.class == password && v.quoted && len(v.text) >= 8 && !placeholder(v.text)
}

// setting says that a password without quotes is all that a line sets, as in an
// INI file, and has what a name in code has not.
func (c *scan) setting(v valueOf) bool {
	if v.class != password || v.op != '=' || v.quoted || code(v.text) || placeholder(v.text) {
		return false
	}
	end, before := v.at+len(v.text), c.text[max(0, v.nameAt-longestName):v.nameAt]
	k := classesOf(strings.NewReplacer("_", "", ".", "").Replace(v.text))
	return k.kinds() == 4 && (end >= len(c.text) || c.text[end] == '\n' || c.text[end] == '\r') &&
		strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t") == ""
}

// envLike says that name=value stands as in a shell, an INI file, a connection
// string: no blanks around the sign.
func (c *scan) envLike(v valueOf) bool {
	end := v.nameAt + len(v.name)
	return end < len(c.text) && c.text[end] == '=' && v.at == end+1 && !v.quoted && !code(v.text)
}

// googleApp extends a value of four small letters by three more of them.
func googleApp(text string, at int, v string) string {
	const n = 4*4 + 3
	if len(v) == 4 && at+n <= len(text) {
		groups := strings.Split(text[at:at+n], " ")
		if len(groups) == 4 && len(groups[0]) == 4 && len(groups[1]) == 4 && len(groups[2]) == 4 && strings.Trim(text[at:at+n], "abcdefghijklmnopqrstuvwxyz ") == "" {
			return text[at : at+n]
		}
	}
	return v
}

// blockBelow takes a YAML block's indented lines, or the one line below a name.
func (c *scan) blockBelow(v valueOf, rule string) {
	if v.op != ':' && v.op != '=' && v.op != '>' {
		return
	}
	lineStart := strings.LastIndexByte(c.text[max(0, v.nameAt-200):v.nameAt], '\n') + 1 + max(0, v.nameAt-200)
	indent := run(c.text, lineStart, func(b byte) bool { return isBlank(b) || b == '-' })
	at := strings.IndexByte(c.text[v.nameAt:min(len(c.text), v.nameAt+longestName+20)], '\n')
	if at < 0 {
		return
	}
	at += v.nameAt + 1
	start, end := -1, -1
	for lines := 0; at < len(c.text) && lines < 64 && end-start < longestValue; lines++ {
		n := strings.IndexByte(c.text[at:], '\n')
		if n < 0 {
			n = len(c.text) - at
		}
		in := run(c.text[:at+n], at, isBlank)
		if in <= indent || in == n {
			break
		}
		if start < 0 {
			start = at + in
		}
		end = at + n
		at += n + 1
	}
	if start < 0 {
		return
	}
	body := strings.TrimRight(c.text[start:end], " \t\r\n")
	first, _, more := strings.Cut(body, "\n")
	first = strings.TrimSpace(first)
	if strings.HasSuffix(first, ":") || strings.Contains(first, ": ") || strings.Contains(first, " = ") || code(first) {
		return // a mapping, a statement
	}
	if leaked(v.class, strings.Trim(first, `"'`), false, !more) {
		c.add(start, start+len(body), rule)
	}
}

// list takes the quoted members of [ "a", "b" ].
func (c *scan) list(v valueOf, rule string) {
	end := strings.IndexAny(c.text[v.at:min(len(c.text), v.at+longestValue)], "]\n")
	if end < 0 {
		return
	}
	for at := v.at + 1; at < v.at+end; at++ {
		if q := c.text[at]; q == '"' || q == '\'' {
			n := strings.IndexByte(c.text[at+1:v.at+end], q)
			if n < 0 {
				return
			}
			if leaked(v.class, c.text[at+1:at+1+n], false, true) {
				c.add(at+1, at+1+n, rule)
			}
			at += n + 1
		}
	}
}

// nameBefore reads the name that ends at an operator: password, "api-key",
// env["TOKEN"], let key: &str.
func nameBefore(s string, i int) (name string, start int, quoted bool) {
	end := i
	for n := 0; end > 0 && n < 12; n++ {
		b := s[end-1]
		if b == '"' || b == '\'' || b == '`' {
			quoted = true
		} else if open := strings.LastIndexByte(s[max(0, end-24):end], '('); b == ')' && open >= 0 && s[i] == ':' {
			end = max(0, end-24) + open // password (staging): x
			continue
		} else if !isBlank(b) && strings.IndexByte(`]\*:?+!=`, b) < 0 {
			break
		}
		end--
	}
	start = end
	for start > 0 && end-start < longestName && (isWord(s[start-1]) || s[start-1] == '-' || s[start-1] == '.' || s[start-1] == '$' || s[start-1] >= 0x80) {
		start--
	}
	if end-start >= longestName {
		return "", 0, false
	}
	// A newline that was written \n belongs to no name.
	if start > 0 && s[start-1] == '\\' && end-start > 1 && (s[start] == 'n' || s[start] == 't' || s[start] == 'r') {
		start++
	}
	if s[start:end] != "" && typeNames[s[start:end]] {
		if name, at := typedName(s, start); name != "" {
			return name, at, false
		}
	}
	return s[start:end], start, quoted
}

// typeNames stand between a name and its value in typed languages.
var typeNames = set(`string String str char const text bytes byte number any Object NSString var`)

// typedName reads a name before its type: token: &'static str, password string.
func typedName(s string, start int) (string, int) {
	end := start
	for n := 0; end > 0 && n < 12; n++ {
		if strings.HasSuffix(s[:end], "'static") {
			end -= len("'static")
		} else if isBlank(s[end-1]) || strings.IndexByte("&:'[]*", s[end-1]) >= 0 {
			end--
		} else {
			break
		}
	}
	if end == start {
		return "", 0
	}
	at := end
	for at > 0 && end-at < longestName && isWord(s[at-1]) {
		at--
	}
	return s[at:end], at
}

// withWordsBefore adds up to two words of a sentence to a one-word name: the
// admin password: x, API key = x.
func (c *scan) withWordsBefore(words []string, start int) []string {
	for n := 0; n < 2 && len(words) < 3; n++ {
		end := start
		for end > 0 && start-end < 2 && (isBlank(c.text[end-1])) {
			end--
		}
		if end == start {
			return words
		}
		at := end
		for at > 0 && end-at < 24 && (isAlnum(c.text[at-1]) || c.text[at-1] == '-') {
			at--
		}
		if at == end {
			return words
		}
		words = append(splitName(c.text[at:end]), words...)
		start = at
	}
	return words
}

// valueAfter reads a value: quoted up to its quote, else up to what ends one.
func valueAfter(s string, i int) (v string, at int, quoted bool) {
	for n := 0; i < len(s) && n < 16; n++ {
		switch {
		case isBlank(s[i]), s[i] == '*', s[i] == '=' && n < 2, s[i] == '>' && i > 0 && s[i-1] == '=', s[i] == '~' && n == 0, s[i] == '|' && n == 0:
			i++
			continue
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '"' || s[i+1] == '\''):
			if s[i+1] == '\n' {
				i++
			}
			i++
			continue
		}
		break
	}
	i += literalPrefix(s[i:])
	if i >= len(s) {
		return "", i, false
	}
	if q := s[i]; q == '"' || q == '\'' || q == '`' {
		return quotedValue(s, i+1, q)
	}
	n := run(s[:min(len(s), i+longestValue)], i, func(b byte) bool { return !isSpace(b) && strings.IndexByte("\"'`<>", b) < 0 })
	return s[i : i+bare(s[i:i+n])], i, false
}

// literalPrefix skips what some languages put before a quote.
func literalPrefix(s string) int {
	for _, p := range []string{"r#", "@", "b", "r", "f", "u", "rb", "$", "(", "new SecureString(", "ConvertTo-SecureString ", "ConvertTo-SecureString -String ", "!!str ", "!!binary ", "String(", "Buffer.from(", "SecretStr(", "[]byte("} {
		if strings.HasPrefix(s, p) && len(s) > len(p) && (s[len(p)] == '"' || s[len(p)] == '\'') {
			return len(p)
		}
	}
	return 0
}

// quotedValue reads up to the closing quote, over escaped ones, on one line.
func quotedValue(s string, at int, q byte) (string, int, bool) {
	if strings.HasPrefix(s[at:], string([]byte{q, q})) { // """ in Python and TOML
		at += 2
	}
	for i := at; i < len(s) && i-at < longestValue; i++ {
		switch s[i] {
		case q:
			if i > at && s[i-1] == '\\' && (i == at+1 || s[i-2] != '\\') && at >= 2 && s[at-2] == '\\' {
				return s[at : i-1], at, true // the quotes themselves were escaped
			}
			if i > at && s[i-1] == '\\' {
				continue
			}
			return s[at:i], at, true
		case '\n':
			return strings.TrimRight(s[at:i], " \t\r"), at, false
		}
	}
	return s[at:min(len(s), at+longestValue)], at, false
}

// bare cuts an unquoted value where the syntax around it goes on.
func bare(v string) int {
	for i := 0; i < len(v); i++ {
		next := ""
		if i+1 < len(v) {
			next = v[i+1:]
		}
		switch v[i] {
		case ';', ',', '&':
			if next == "" || strings.Contains(cutAt(next, 40), "=") || strings.Contains(cutAt(next, 40), ":") {
				return i
			}
		case '\\':
			if next != "" && (next[0] == 'n' || next[0] == '"' || next[0] == 'r') {
				return i
			}
		}
	}
	end := len(v)
	for end > 0 && strings.IndexByte(")]},;|", v[end-1]) >= 0 && !strings.ContainsAny(v[:end-1], "([{") {
		end--
	}
	if end > 1 && v[end-1] == '.' && v[end-2] != '.' {
		end--
	}
	return end
}

func cutAt(s string, n int) string { return s[:min(len(s), n)] }
