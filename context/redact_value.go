package memory

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode/utf8"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool { return isDigit(c) || isLower(c) || isUpper(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isHex(c byte) bool   { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// run returns how many bytes of s from i on satisfy ok.
func run(s string, i int, ok func(byte) bool) int {
	n := 0
	for i+n < len(s) && ok(s[i+n]) {
		n++
	}
	return n
}

// classes are the kinds of characters in a value.
type classes struct{ lower, upper, digit, symbol, distinct int }

func classesOf(v string) classes {
	var c classes
	var seen [256]bool
	for i := range len(v) {
		b := v[i]
		switch {
		case isLower(b):
			c.lower++
		case isUpper(b):
			c.upper++
		case isDigit(b):
			c.digit++
		default:
			c.symbol++
		}
		if !seen[b] {
			seen[b] = true
			c.distinct++
		}
	}
	return c
}

func (c classes) letters() int { return c.lower + c.upper }

// kinds counts the classes that occur.
func (c classes) kinds() int {
	n := 0
	for _, k := range []int{c.lower, c.upper, c.digit, c.symbol} {
		if k > 0 {
			n++
		}
	}
	return n
}

// entropy is Shannon's, in bits a byte.
func entropy(v string) float64 {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// random says that v looks made by a machine to be guessed by nobody: long,
// mixed, not built of words.
func random(v string, least int) bool {
	if len(v) < least || len(v) > 16<<10 || placeholder(v) {
		return false
	}
	c := classesOf(v)
	if c.letters() == 0 || c.distinct < 6 {
		return false
	}
	if c.symbol > len(v)/3 || strings.ContainsAny(v, " \t\r\n(){}<>\"'") {
		return false
	}
	if c.digit == 0 && (c.upper == 0 || c.lower == 0 || len(v) < 20 && !unspoken(splitName(v))) {
		return false
	}
	return entropy(v) >= min(3, math.Log2(float64(len(v)))*0.75) && !wordy(v)
}

// guessable are passwords of people: short, but with something that words of a
// sentence do not have.
func guessable(v string, least int) bool {
	if len(v) < least || len(v) > 128 || !utf8.ValidString(v) || placeholder(v) || technical(v) {
		return false
	}
	c := classesOf(v)
	if strings.ContainsAny(v, " \t\r\n") || c.letters() == 0 || c.distinct < 4 {
		return false
	}
	inner := strings.Trim(v, ".,;:!?-_()[]*='\"`")
	if inner == "" {
		return false
	}
	d := classesOf(inner)
	return d.digit > 0 && !version(inner) || odd(inner)
}

// odd says that a word has a symbol or a change of case that words have not.
func odd(v string) bool {
	for i := range len(v) {
		if strings.IndexByte("!@#$%^&*+=~?", v[i]) >= 0 {
			return true
		}
	}
	return false
}

// version says that v is a number with dots and a unit or a prefix around it.
func version(v string) bool {
	v = strings.TrimPrefix(v, "v")
	n := run(v, 0, func(c byte) bool { return isDigit(c) || strings.IndexByte(".,:/-+xX%", c) >= 0 })
	return n > 0 && len(v)-n <= 3 || n > 0 && strings.IndexByte("-/", v[n-1]) >= 0 && plainWords(v[n:])
}

// wordy says that v is words, numbers and names of things glued together.
func wordy(v string) bool {
	words := 0
	for _, part := range strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_./ :+=@~,;|#\\*", r) }) {
		if !wordPart(part) {
			return false
		}
		words++
	}
	return words > 0
}

// wordPart says that a part is one word, words in camelCase, a number, or a word
// with a number after it.
func wordPart(p string) bool {
	letters, groups := 0, 0
	for i := 0; i < len(p); {
		n := run(p, i, isDigit)
		if n == 0 {
			letters, i = letters+1, i+1
			continue
		}
		if i += n; n > 4 || i < len(p) && groups+letters > 0 && (!isUpper(p[i]) || i+1 < len(p) && !isLower(p[i+1])) {
			return version(p) && p[0] == 'v' // digits in the middle of a word
		}
		groups++
	}
	words := splitName(p)
	longest := 0
	for _, w := range words {
		longest = max(longest, len(w))
	}
	switch {
	case letters == 0 || letters <= 2 && !isMixed(p):
		return groups < 2
	case groups > 2 || longest > 16 || strangeCase(strings.Trim(p, "0123456789")), groups == 0 && letters >= 12 && isMixed(p) && unspoken(words):
		return false
	}
	return letters >= 3*(len(words)-groups)
}

// unspoken says that words make no name: two of them and a third of them all are
// a letter or two, or have no vowel. Of 100 names in programs four are like that,
// of 100 texts of 16 letters by chance two are not.
func unspoken(words []string) bool {
	bad := 0
	for _, w := range words {
		if len(w) <= 2 || !strings.ContainsAny(w, "aeiouy") {
			bad++
		}
	}
	return bad >= 2 && bad*3 >= len(words)
}

func isMixed(s string) bool { c := classesOf(s); return c.lower > 0 && c.upper > 0 }

// strangeCase says that capitals run into small letters in a way no name does.
func strangeCase(s string) bool {
	changes := 0
	for i := 1; i < len(s); i++ {
		if isUpper(s[i]) != isUpper(s[i-1]) {
			changes++
		}
	}
	return changes > 1 && changes*2 > len(s)
}

// plainWords says that v is letters and single hyphens.
func plainWords(v string) bool {
	return v != "" && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ") == ""
}

// technical are words with digits that are no passwords: algorithms, sizes.
func technical(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:()[]`'\"*"))
	first, _, _ := strings.Cut(l, "-")
	if strings.HasPrefix(l, "0x") && run(l, 2, isHex) == len(l)-2 && len(l) <= 18 {
		return true
	}
	if technicalWords[first] || technicalWords[l] {
		return true
	}
	if isDigit(l0(l)) { // 12-character, 32bytes, 90d, 3rd
		n := run(l, 0, isDigit)
		if n < 5 && plainWords(strings.TrimLeft(l[n:], "-")) {
			return true
		}
	}
	for _, p := range technicalPrefixes {
		rest, ok := strings.CutPrefix(l, p)
		rest = strings.TrimPrefix(rest, "-")
		if !ok || !isDigit(l0(rest)) {
			continue
		}
		if strings.Trim(rest, "0123456789-_/.") == "" || strings.Contains(rest, "-") && plainWords(strings.TrimLeft(rest, "0123456789")) {
			return true
		}
	}
	return false
}

func l0(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

var technicalPrefixes = []string{
	"sha", "md", "rsa", "aes", "ecdsa", "hs", "rs", "es", "ps", "utf", "base", "argon2", "bcrypt",
	"pbkdf", "scrypt", "ed", "x509", "oauth", "http", "ipv", "node", "python", "go1", "java", "v",
	"tls", "ssl", "p", "curve", "secp", "u", "i", "int", "uint", "float", "rfc", "iso", "step", "line",
	"pr", "issue", "section", "page", "table", "chapter", "part", "level", "phase", "round", "option", "type",
}

var technicalWords = set(`argon2 argon2id argon2i argon2d pbkdf2 ed25519 x25519 base64 base32 base64url base58
	oauth2 oidc2 saml2 i18n l10n k8s s3 ec2 kms hsm hmac jwt rs256 hs256 es256 utf8 utf-8 ascii rot13
	ctrl alt http1 http2 http3 h2 postgres postgresql mysql8 sqlite3 ipv4 ipv6 win32 x86 amd64 arm64
	curve25519 secp256k1 p256 aes256 aes128 sha1 sha256 sha512 md5 crc32 x509 pkcs1 pkcs8 pkcs12`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// placeholder says that v stands for a secret and is none: a reference, a mask,
// a documented sample, words like "your-token-here".
func placeholder(v string) bool {
	v = strings.Trim(v, "\"'` ")
	if v == "" || reference(v) || masked(v) {
		return true
	}
	v = cutAt(v, 128)
	l := strings.ToLower(v)
	for _, w := range placeholderParts {
		if strings.Contains(l, w) {
			return true
		}
	}
	for _, s := range samples {
		if strings.Contains(v, s) {
			return true
		}
	}
	return vocabulary(v) || expression(v)
}

// expression says that v is a regular expression that secrets are held against.
func expression(v string) bool {
	return strings.Contains(v, "[A-Z") || strings.Contains(v, "[a-z") || strings.Contains(v, `\d`) || strings.Contains(v, `\w`) || strings.HasPrefix(v, "/^")
}

// reference says that v names where a secret is rather than being one.
func reference(v string) bool {
	if v[0] == '$' && len(v) > 1 {
		name := strings.TrimPrefix(v[1:], "env:")
		n := run(name, 0, isWord)
		if n > 1 && n < len(name) && name[n] == '/' && pathLike(name[n:]) {
			return true // $HOME/.config/app
		}
		if n == len(name) && n > 0 && !isDigit(name[0]) && (!isMixed(name) || classesOf(name).digit == 0) {
			return true
		}
	}
	for _, p := range referencePrefixes {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if v[0] == '<' || v[0] == '%' && v[len(v)-1] == '%' || v[0] == '{' && v[len(v)-1] == '}' || v[0] == '[' && v[len(v)-1] == ']' {
		return true
	}
	if strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") {
		return true
	}
	return (strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, `C:\`)) && pathLike(v)
}

// pathLike says that every part of v between slashes is a file's name.
func pathLike(v string) bool {
	for _, p := range strings.FieldsFunc(v, func(r rune) bool { return r == '/' || r == '\\' }) {
		if len(p) > 1 && !wordy(p) {
			return false
		}
	}
	return true
}

var referencePrefixes = []string{
	"{{", "{%", "%(", "%{", "%s", "%v", "%q", "#{", "env:", "file:", "ext:", "vault:", "op://", "ref+", "arn:", "ENC[",
	"!vault", "!Ref", "!Sub", "!secret", "!env", "secret://", "ssm:", "keyring:", "secretref:", "sm://", "kms:", "@Microsoft.KeyVault",
	"projects/", "process.env", "os.environ", "os.Getenv", "ENV[", "env(", "getenv", "System.getenv", "std::env", "import.meta", "data.", "var.", "local.", "module.", "secrets.", "vars.", "args.", "self.", "this.", "props.", "req.", "cfg.", "config.", "opts.", "options.", "settings.",
}

// masked says that v has had its middle taken out, or is one character.
func masked(v string) bool {
	if strings.Contains(v, "...") || strings.Contains(v, "…") || strings.Contains(v, "••") || strings.Contains(v, "***") {
		return true
	}
	same, longest := 1, 1
	for i := 1; i < len(v); i++ {
		if v[i] != v[i-1] {
			same = 0
		}
		same++
		if same > longest && strings.IndexByte("xX*.#_?-0", v[i]) >= 0 {
			longest = same
		}
	}
	return longest >= 6 || longest >= 4 && longest*2 > len(v) || len(v) >= 4 && classesOf(v).distinct <= 2
}

var placeholderParts = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "changethis", "change-this", "replaceme", "replace-me", "replace_me", "replace_with", "replace-with",
	"redacted", "your-", "your_", "yourpass", "yourtoken", "yourkey", "yourapi", "yoursecret", "-here", "_here", "insert-", "insert_", "dummy", "fake", "notreal", "not-real", "not-a-real", "not-a-secret", "notasecret", "not_a_", "todo", "fixme", "foobar",
	"deadbeef", "1234567890", "0123456789", "abcdefgh", "abc123def456", "sample", "lorem", "does-not-matter", "doesnotmatter", "irrelevant", "invalid", "bogus", "mocked", "hidden", "omitted", "removed", "masked",
}

// samples are what vendors print in their own documentation.
var samples = []string{
	"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "4eC39HqLyjWDarjtT1zdp7dc",
	"T00000000/B00000000", "ABC-DEF1234ghIkl-zyx57W2v1u123ew11", "mF_9.B5f-4.1JqM",
	"tGzv3JOkF0XG5Qx2TlKWIA", "2YotnFZFEjr1zCsicMWpAA", "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
}

// vocabulary says that v is made only of words that people write in a secret's
// place.
func vocabulary(v string) bool {
	words := splitName(v)
	for _, w := range words {
		if !standIns[w] {
			return false
		}
	}
	return len(words) > 0
}

var standIns = set(`secr3t opensesame my your our the a an this that some any super very secret secrets password passwords passwd pass pwd pw
	passphrase token tokens key keys api app apps db database user users username admin administrator root test tests testing
	tester dev develop local localhost demo default defaults value values string str text here goes access auth client private public service account
	name postgres postgresql mysql mariadb redis mongo mongodb guest minio minioadmin rabbitmq rabbit foo bar baz qux abc xyz
	abcd none null nil undefined true false yes no on off secure strong long random new old current hash hashed encrypted env
	environment var variable vars from in at to of for with vault file path stdin prompt ask generate generated auto disabled enabled unset empty
	missing required optional int integer bool boolean bytes byte number float char varchar object any unknown void optional field
	s3cr3t p4ssw0rd passw0rd p ssw rd 1 2 3 12 123 1234 12345 123456 1234567 12345678 123456789 111111 000000 0 00 000 0000 11 1111 letmein qwerty
	bearer basic id cred creds credential credentials login example sample ci prod production staging stage session cookie data json
	get set it is be and or not open sesame via as base url uri host port header query param me x y z v v1 v2 sk pk config configuration settings
	constant literal runtime build manager store system service svc deploy signing encryption master cookie refresh hex base64 uuid jwt oauth sso saml pat
	here type kind label one two three alice bob carol joe john jane doe welcome hello world hunter temp tmp pro basic bearer hmac rsa aes rotate rotated later now`)

// splitName splits an identifier or a value into its words in small letters.
func splitName(s string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(s[start:end]))
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case !isAlnum(c) && c < 0x80:
			cut(i)
			start = i + 1
		case i > start && isUpper(c) && (isLower(s[i-1]) || isDigit(s[i-1]) || i+1 < len(s) && isUpper(s[i-1]) && isLower(s[i+1])):
			cut(i)
			start = i
		case i > start && isDigit(c) != isDigit(s[i-1]) && isAlnum(s[i-1]) && isDigit(c):
			cut(i)
			start = i
		case i > start && isDigit(s[i-1]) && !isDigit(c):
			cut(i)
			start = i
		}
	}
	cut(len(s))
	return out
}

// decode64 decodes s in either alphabet, with or without padding.
func decode64(s string) (string, bool) {
	s = strings.TrimRight(s, "=")
	enc := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		enc = base64.RawURLEncoding
	}
	b, err := enc.DecodeString(s)
	return string(b), err == nil
}

// printable says that s is text.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' && !isSpace(s[i]) || s[i] == 0x7f {
			return false
		}
	}
	return true
}
