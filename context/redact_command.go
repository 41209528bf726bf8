package memory

import "strings"

// scanCommands finds what stands on command lines and in files that are read
// word by word: flags, SQL, netrc, pgpass.
func scanCommands(c *scan) {
	s := c.text
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '-' && (i == 0 || isSpace(s[i-1]) || strings.IndexByte("\"'`([", s[i-1]) >= 0):
			c.flag(i)
		case i == 0 || s[i-1] == '\n':
			c.line(i)
		}
		if isWord(s[i]) && tokenStart(s, i) {
			c.spaced(i)
		}
		switch s[i] | 0x20 {
		case 'p', 'i', 'r', 'm', 'l', 'c', 'e', 'v':
			if tokenStart(s, i) {
				c.keyword(i)
			}
		}
	}
}

// flag looks at the flag at i.
func (c *scan) flag(i int) {
	dashes := run(c.text[:min(len(c.text), i+2)], i, func(b byte) bool { return b == '-' })
	n := run(c.text[:min(len(c.text), i+longestName)], i+dashes, func(b byte) bool { return isWord(b) || b == '-' || b == '.' })
	name, end := c.text[i+dashes:i+dashes+n], i+dashes+n
	if n == 0 || end >= len(c.text) || n+dashes >= longestName {
		return
	}
	if q := c.text[end]; dashes == 1 && n == 1 && (q == '"' || q == '\'') {
		c.attached(i, name) // -p'SECRET'
	}
	v, at, quoted := valueAfter(c.text, end)
	if !isSpace(c.text[end]) && c.text[end] != '=' && c.text[end] != '\'' && c.text[end] != '"' || v == "" || v[0] == '-' && !quoted {
		if dashes == 1 {
			c.attached(i, name)
		}
		return
	}
	if dashes == 2 || n > 2 {
		c.longFlag(name, v, at, quoted, c.text[end] == '=')
		return
	}
	c.shortFlag(i, name, v, at, quoted)
}

// loginFlags take user:password.
var loginFlags = set(`user proxy-user basic-auth auth creds http-auth userpass u login credentials basic`)

func (c *scan) longFlag(name, v string, at int, quoted, glued bool) {
	if loginFlags[name] {
		c.userPass(v, at, ":")
		return
	}
	if rest, ok := strings.CutPrefix(v, "pass:"); ok && strings.HasPrefix(name, "pass") {
		if !placeholder(rest) && len(rest) > 2 {
			c.add(at+5, at+5+len(rest), "password")
		}
		return
	}
	k := classify(splitName(name))
	if name == "storepass" || name == "keypass" || name == "with-pass" {
		k = password
	}
	if k == noSecret || glued && !quoted {
		return // name=value is looked at as an assignment
	}
	if leaked(k, v, !plainWords(v) || quoted, quoted) {
		c.add(at, at+len(v), nameRule(splitName(name), k))
	}
}

// userPass takes the password out of user:password.
func (c *scan) userPass(v string, at int, sep string) {
	user, pw, ok := strings.Cut(v, sep)
	if ok && len(pw) > 2 && user != "" && !placeholder(pw) && !strings.HasPrefix(pw, "//") && run(pw, 0, isDigit) != len(pw) && !strings.EqualFold(user, pw) {
		c.add(at+len(user)+len(sep), at+len(v), "password")
	}
}

// short flags that take a password, by the programs that have them.
var passwordFlags = map[string]map[string]bool{
	"p": set(`sshpass login twine mongo mongosh mongodump mongorestore crane oras cf mysqlsh ldappasswd clickhouse-client`),
	"P": set("sqlcmd bcp zip unzip ssh-keygen pdftotext mosquitto_pub mosquitto_sub"), //nolint:misspell // their names
	"a": set(`redis-cli valkey-cli redis-benchmark`),
	"w": set(`ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete kadmin`),
	"N": set(`ssh-keygen`),
	"k": set(`openssl`),
	"K": set(`openssl`),
	"t": set(`doctl hcloud vault flyctl`),
}

// loginFlagsOf are short flags that take a user and a password.
var loginFlagsOf = map[string]struct {
	sep      string
	programs map[string]bool
}{
	"u": {":", set(`curl wget http https xh pushd mvn nexus`)},
	"a": {":", set(`http https xh`)},
	"U": {"%", set(`smbclient rpcclient net wget smbget`)},
}

func (c *scan) shortFlag(i int, name, v string, at int, quoted bool) {
	program := c.programOf(i)
	if passwordFlags[name][program] && len(v) > 2 && (!placeholder(v) && (quoted || !code(v))) {
		c.add(at, at+len(v), "password")
	}
	if f, ok := loginFlagsOf[name]; ok && f.programs[program] || name == "u" && strings.Contains(v, ":") && guessable(v[strings.IndexByte(v, ':')+1:], 6) {
		sep := ":"
		if ok {
			sep = f.sep
		}
		c.userPass(v, at, sep)
	}
}

var attachedTo = set(`mysql mysqldump mysqladmin mariadb mariadb-dump mysqlimport sshpass 7z 7za mysqlcheck mysqlshow`)

// attached looks at -pSECRET.
func (c *scan) attached(i int, name string) {
	if name[0] != 'p' || !attachedTo[c.programOf(i)] {
		return
	}
	v := headerValue(c.text, i+2)
	if q := i + 2; q < len(c.text) && (c.text[q] == '\'' || c.text[q] == '"') {
		v, _, _ = quotedValue(c.text, q+1, c.text[q])
		i++
	}
	if len(v) > 2 && !placeholder(v) && v != "ort" && !strings.HasPrefix(v, "assword") && !strings.HasPrefix(v, "ort") && !strings.HasPrefix(v, "rotocol") {
		c.add(i+2, i+2+len(v), "password")
	}
}

// program is the last program with such flags on the line that was read so far.
type program struct {
	name string
	at   int
}

// programOf is the program whose flag is at i: the nearest word before it on
// its line that is one with such flags.
func (c *scan) programOf(i int) string {
	p := &c.program
	if p.at > i {
		*p = program{}
	}
	if i-p.at > 400 {
		*p = program{at: i - 400}
	}
	for p.at < i {
		n := run(c.text[:i], p.at, func(b byte) bool { return isWord(b) || b == '-' || b == '.' })
		if n > 0 {
			if w := c.text[p.at : p.at+n]; programs[w] {
				p.name = w
			}
			p.at += n
			continue
		}
		if c.text[p.at] == '\n' && (p.at == 0 || c.text[p.at-1] != '\\') {
			p.name = ""
		}
		p.at++
	}
	return p.name
}

var programs = func() map[string]bool {
	m := map[string]bool{}
	for _, t := range passwordFlags {
		for p := range t {
			m[p] = true
		}
	}
	for _, t := range loginFlagsOf {
		for p := range t.programs {
			m[p] = true
		}
	}
	for p := range attachedTo {
		m[p] = true
	}
	return m
}()

// spaced looks at NAME value, as Dockerfiles, shells and tools write it.
func (c *scan) spaced(i int) {
	n := run(c.text[:min(len(c.text), i+longestName)], i, isWord)
	name, end := c.text[i:i+n], i+n
	if !strings.Contains(name, "_") || end >= len(c.text) || !isBlank(c.text[end]) {
		return
	}
	k := classify(splitName(name))
	if k == noSecret {
		return
	}
	v, at, quoted := valueAfter(c.text, end)
	if random(v, 16) || allHex(v, 16) || quoted && leaked(k, v, false, true) {
		c.add(at, at+len(v), nameRule(splitName(name), k))
	}
}

// phrases are words after which a password stands, however plain.
var phrases = []string{
	"identified by ", "identified with mysql_native_password by ", "identified with caching_sha2_password by ", "with password ", "encrypted password ",
	"password for user ", "requirepass ", "masterauth ", "password = password(", "identified by password ", "login password ", "convertto-securestring ", "convertto-securestring -string ", "rootpw ", "-passin pass:", "-passout pass:", "pass:",
}

// keyword looks at SQL and configuration in words.
func (c *scan) keyword(i int) {
	head := strings.ToLower(c.text[i:min(len(c.text), i+60)])
	for _, p := range phrases {
		if !strings.HasPrefix(head, p) {
			continue
		}
		v, at, quoted := valueAfter(c.text, i+len(p))
		if len(v) > 2 && !placeholder(v) && (quoted && !strings.Contains(v, " ") || !quoted && guessable(v, 6) && !wordy(v) && p[0] != 'c' || p[0] == 'r' && p != "requires" && !plainWords(v)) {
			c.add(at, at+len(v), "password")
		}
	}
	if strings.HasPrefix(head, "values") {
		c.inserted(i)
	}
	if strings.HasPrefix(head, "login ") || strings.HasPrefix(head, "machine ") {
		c.netrc(i)
	}
}

// netrc looks at machine host login user password secret, on one line or several.
func (c *scan) netrc(i int) {
	at := i
	for n := 0; n < 7; n++ {
		at += run(c.text[:min(len(c.text), at+40)], at, isSpace)
		w := run(c.text[:min(len(c.text), at+200)], at, func(b byte) bool { return !isSpace(b) })
		word := c.text[at : at+w]
		if n%2 == 0 && word != "machine" && word != "login" && word != "password" && word != "account" {
			return
		}
		at += w
		if word != "password" || n%2 != 0 || n == 0 {
			continue
		}
		v, start, _ := valueAfter(c.text, at+run(c.text[:min(len(c.text), at+40)], at, isSpace))
		if len(v) > 2 && !placeholder(v) {
			c.add(start, start+len(v), "password")
		}
		return
	}
}

// line looks at whole lines: pgpass, passwords on the way into a program.
func (c *scan) line(i int) {
	n := run(c.text[:min(len(c.text), i+500)], i, func(b byte) bool { return b != '\n' })
	line := c.text[i : i+n]
	if f := strings.Split(line, ":"); len(f) == 5 && (f[1] == "*" || f[1] != "" && run(f[1], 0, isDigit) == len(f[1])) && !strings.ContainsAny(line, " /") && len(f[4]) > 2 && f[0] != "" && f[3] != "" && !placeholder(f[4]) && !isUpperHexPair(f) {
		c.add(i+n-len(f[4]), i+n, "password")
	}
	if _, v, ok := strings.Cut(line, "::add-mask::"); ok { // tells a CI's log what to hide
		v = strings.TrimRight(v, " \t\r\"'`)")
		if at := i + strings.Index(line, "::add-mask::") + len("::add-mask::"); len(v) > 2 && !placeholder(v) {
			c.add(at, at+len(v), "secret")
		}
	}
	c.piped(i, line)
	c.arguments(i, line)
}

// isUpperHexPair says that the fields are of a hardware address or a time.
func isUpperHexPair(f []string) bool {
	for _, p := range f {
		if len(p) > 2 {
			return false
		}
	}
	return true
}

// piped looks at echo PASSWORD | program that reads one.
func (c *scan) piped(i int, line string) {
	for _, sink := range []string{"sudo -S", "--password-stdin", "chpasswd", "passwd --stdin", "--passphrase-fd 0", "cryptsetup", "--with-token", "base64 >", "gh auth login"} {
		k := strings.Index(line, sink)
		if k < 0 {
			continue
		}
		for _, cmd := range []string{"echo -n ", "echo ", "printf ", "<<< ", "<<<"} {
			e := strings.Index(line, cmd)
			if e < 0 || e > k && cmd[0] != '<' {
				continue
			}
			v, at, quoted := valueAfter(line, e+len(cmd))
			if _, pw, ok := strings.Cut(v, ":"); ok && sink == "chpasswd" {
				at, v = at+len(v)-len(pw), pw
			}
			if len(v) > 2 && v[0] != '-' && v[0] != '%' && !placeholder(v) && (quoted || !code(v)) {
				c.add(i+at, i+at+len(v), "password")
			}
			break
		}
	}
}
