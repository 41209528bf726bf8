package memory

import "strings"

// class is what a name promises about its value.
type class int

const (
	noSecret    class = iota
	machineMade       // a token or a key: long and random
	shared            // a secret: short ones may be by hand
	password          // by hand
)

func (c class) String() string {
	return [...]string{"", "token", "secret", "password"}[c]
}

// nameRule is the rule that takes a value out for its name's sake.
func nameRule(words []string, c class) string {
	if len(words) > 0 && (words[len(words)-1] == "key" || words[len(words)-1] == "keys" || words[len(words)-1] == "apikey") {
		return "key"
	}
	return c.String()
}

// nouns are last words of names, and what they promise.
var nouns = map[string]class{
	"password": password, "passwd": password, "pwd": password, "pass": password, "passphrase": password,
	"passcode": password, "pw": password, "psk": password, "mnemonic": password, "passwort": password,
	"kennwort": password, "contraseña": password, "senha": password, "requirepass": password, "masterauth": password,
	"userpassword": password, "rootpw": password, "bindpw": password, "pgpassword": password, "passw": password,
	"userpass": password, "dbpass": password, "dbpassword": password, "pswd": password, "密码": password, "пароль": password,
	"pin": password, "sshpass": password, "motdepasse": password, "passe": password,
	"secret": shared, "seed": shared, "pepper": shared, "creds": shared, "credential": shared, "credentials": shared,
	"clientsecret": shared, "secretkey": shared, "cookie": machineMade, "jwt": machineMade, "pat": machineMade, "otp": shared, "totp": shared,
	"token": machineMade, "apikey": machineMade, "authtoken": machineMade, "accesstoken": machineMade, "accesskey": machineMade,
	"privatekey": machineMade, "authkey": machineMade, "auth": machineMade, "authorization": machineMade, "bearer": machineMade,
	"sharedkey": machineMade, "masterkey": machineMade, "accountkey": machineMade, "signingkey": machineMade, "encryptionkey": machineMade,
	"sessionid": machineMade, "sessid": machineMade, "phpsessid": machineMade, "jsessionid": machineMade, "sid": machineMade, "appkey": machineMade,
	"sharedaccesskey": machineMade, "presharedkey": machineMade, "hmac": machineMade, "secretaccesskey": machineMade,
}

// qualifiers make a secret of a key.
var qualifiers = set(`api access secret private auth instrumentation fernet vapid signing encryption master account shared license licence storage service admin deploy
	client jwt hmac aes ssh rest webhook session app application server write read root token crypto cipher cookie sign encrypt decrypt
	subscription integration ingest rapidapi psk preshared pre-shared symmetric wallet maps management functions function host2 consumer
	stripe openai anthropic gemini twilio sendgrid mailgun datadog dd algolia mapbox pinecone cohere mistral groq aws gcp azure github gitlab
	slack discord telegram linear notion airtable heroku cloudflare digitalocean hcloud linode vultr openrouter deepseek together replicate
	huggingface hf elevenlabs deepgram assemblyai newrelic relic grafana honeycomb sentry pagerduty opsgenie okta auth0 paypal square adyen
	braintree plaid shopify npm pypi docker vault consul nomad tailscale wireguard steam tmdb weather openweather backup restic borg db database
	validation machine registration enrollment join gossip unseal recovery transit data kek dek rsa ed25519 ecdsa ec pgp gpg pem real live prod production`)

// notSecret are words before a noun that make something else of it.
var notSecret = map[string]string{
	"key": `public primary foreign cache sort partition hot map dict object row group idempotency translation i18n index unique composite
		publishable anon pub hash range lookup config routing shard known arrow enter escape storage2 s3 bucket feature json yaml property
		attribute column field metric entry registry header sub super meta modifier prefix shortcut site artifact issue project ctrl`,
	"token": `page next continuation pagination cancellation eos bos pad unk stop special sep cls mask max min total input output
		prompt completion cached lexer first last kind type design color csstoken stop current previous lookahead reserved cancel paging sync2 num
		per budget string2 ident keyword`,
	"pass":   `render first second single two one multi depth shadow by bypass forward backward compiler low high band test tests all boarding lint final pre post`,
	"seed":   `random rand test shuffle world noise data fuzz hash db database rng initial numpy torch`,
	"pin":    `gpio led reset rx tx sda scl mosi miso chip clock data version input output power io analog digital interrupt`,
	"auth":   `basic no oauth require enable skip has use with needs http client`,
	"sid":    `account message call sms workspace windows object user group service flow`,
	"cookie": `same secure http magic set`,
	"hmac":   `use no`,
}

var notSecretWords = func() map[string]map[string]bool {
	m := map[string]map[string]bool{}
	for noun, words := range notSecret {
		m[noun] = set(words)
	}
	return m
}()

// tails may follow a noun without changing what it is.
var tails = set(`value base data string b64 base64 base32 hex raw prod production dev development staging stage live sandbox old new current plain plaintext
	text default env 1 2 3 4 is was test ci primary secondary enc v1 v2 a b hash digest 64 32 256 bytes temp eu us org`)

// classify says what a name promises, by its last words: api_key and
// DB_PASSWORD_PROD promise a secret, token_count and public_key_id do not.
func classify(words []string) class {
	for len(words) > 1 && tails[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return noSecret
	}
	last := strings.TrimSuffix(words[len(words)-1], "s")
	if strings.HasSuffix(last, "pas") {
		last += "s"
	}
	before := ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch {
	case last == "key" && networks[before]:
		return password
	case last == "key":
		if qualifiers[before] && !notSecretWords["key"][before] {
			return machineMade
		}
		return noSecret
	case last == "string" || last == "dsn" || last == "uri" || last == "url":
		return noSecret // what is secret in them has rules of its own
	case notSecretWords[last][before]:
		return noSecret
	case last == "phrase" && (before == "seed" || before == "pass" || before == "recovery"):
		return password
	case (last == "sid" || last == "cookie") && before == "":
		return noSecret // too common where nothing is secret; URLs and headers look for them
	case last == "code" && (before == "recovery" || before == "backup"):
		return shared
	}
	if c := nouns[last]; c != noSecret {
		return c
	}
	return suffixed(last)
}

// networks have keys that people make up.
var networks = set(`wlan wifi wpa wpa2 wep hostednetwork`)

// suffixed knows names that are written together: dbpassword, githubtoken.
func suffixed(name string) class {
	for _, s := range []string{"password", "passwd", "passphrase"} {
		if strings.HasSuffix(name, s) {
			return password
		}
	}
	for _, s := range []string{"apikey", "secretkey", "accesskey", "privatekey", "authtoken", "accesstoken", "apitoken", "authkey", "secret"} {
		if strings.HasSuffix(name, s) {
			return machineMade
		}
	}
	return noSecret
}

// leaked says whether v, given for a name of class c, is a secret. Strict is
// a place where nothing but a value can stand, as in an environment or a flag.
func leaked(c class, v string, strict, quoted bool) bool {
	if placeholder(v) || !quoted && code(v) {
		return false
	}
	switch c {
	case machineMade:
		return random(v, 16) || quoted && len(v) >= 24 && classesOf(v).kinds() > 2 && entropy(v) > 4 && !strings.ContainsAny(v, " \t") || uuid(v) || random(v, 10) && classesOf(v).digit > 1 && (strict || quoted) || !wordy(v) && allHex(v, 16)
	case shared:
		return random(v, 10) || uuid(v) || allHex(v, 16) || guessable(v, 8) && !wordy(v) && (strict || quoted || odd(v)) || strict && guessable(v, 6)
	case password:
		return passwordLike(v, strict, quoted)
	}
	return false
}

// passwordLike says whether v, given as a password, is one.
func passwordLike(v string, strict, quoted bool) bool {
	if technical(v) && !strict {
		return false
	}
	c := classesOf(v)
	switch {
	case strings.Contains(v, "://"):
		return false
	case strings.ContainsAny(v, " \t"):
		return passphrase(v, quoted) || strict && quoted && c.digit > 0
	case strict:
		return len(v) >= 3
	case len(v) < 4 && (c.digit == 0 || c.letters() == 0):
		return false
	case c.letters() == 0:
		return c.digit == len(v) && (len(v) >= 6 || quoted)
	case c.digit == 0 && c.symbol == 0:
		return quoted && (isMixed(v) && strangeCase(v) || c.upper == 0 && len(v) >= 8 && !commonWord(v)) || random(v, 12)
	case c.digit == 0 && plainWords(v) && c.upper == 0:
		return strings.Count(v, "-") >= 2 && !strings.Contains(v, "--") // words joined by hyphens
	case c.digit == 0 && !odd(v):
		return false
	case !quoted && c.symbol > 0 && !odd(v) && wordy(v):
		return c.digit > 1 && strings.Contains(v, "-")
	}
	return true
}

// passphrase says whether several words are one: no sentence, no label.
func passphrase(v string, quoted bool) bool {
	words := strings.Fields(v)
	if !quoted || len(words) < 3 || len(words) > 24 {
		return false
	}
	digits := 0
	for _, w := range words {
		c := classesOf(w)
		if c.upper > 0 && c.lower > 0 && c.digit == 0 || sentenceWords[strings.ToLower(w)] || len(w) > 16 {
			return false
		}
		digits += c.digit
	}
	return len(words) >= 4 || digits > 0
}

var sentenceWords = set(`the a an is are be was must may can should not your you enter please for of to in on with and or this that field
	required invalid wrong incorrect too short long characters least at most new old forgot reset change confirm password passwords mismatch match empty cannot no has been`)

// commonWord are single words that programs print beside a password's name.
func commonWord(v string) bool {
	l := strings.ToLower(v)
	for _, w := range []string{"pass", "secret", "token", "credential", "require", "valid", "string", "user", "login", "field", "hash", "crypt", "error", "config", "cannot", "enter", "confirm", "forgot", "reset", "strength", "missing", "input", "change"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

func allHex(v string, least int) bool {
	c := classesOf(v)
	return len(v) >= least && run(v, 0, isHex) == len(v) && c.digit > 0 && c.letters() > 0 && c.distinct > 5
}

func uuid(v string) bool {
	if len(v) != 36 || classesOf(v).distinct < 6 {
		return false
	}
	for i := range len(v) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (v[i] == '-') || !dash && !isHex(v[i]) {
			return false
		}
	}
	return true
}

// code says that an unquoted value is an expression: a call, a field, an index.
func code(v string) bool {
	n := run(v, 0, isWord)
	if n == len(v) {
		return classesOf(v).digit == 0 && (isMixed(v) && wordy(v) || strings.Contains(v, "_") && wordy(v))
	}
	switch v[n] {
	case '(', '[', '{':
		shut := strings.LastIndexAny(v, ")]}")
		return n > 0 && !isDigit(v[0]) && (shut < 0 || shut == len(v)-1 || !isWord(v[shut+1]))
	case '.':
		rest := v[n+1:]
		return n > 0 && !isDigit(v[0]) && classesOf(v[:n]).digit == 0 && rest != "" && (isLower(rest[0]) || isUpper(rest[0])) &&
			strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.?!()[]") == "" && !strangeCase(strings.Trim(rest, "._?!()[]"))
	case ':':
		return strings.HasPrefix(v[n:], "::")
	case '-':
		return strings.HasPrefix(v[n:], "->")
	}
	return v[0] == '&' || v[0] == '*' && n == 0 && len(v) > 1 && wordy(v[1:])
}
