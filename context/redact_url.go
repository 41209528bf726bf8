package memory

import "strings"

// scanURLs finds what is secret in addresses: a password before the host, a
// token in the query, the path of a web hook.
func scanURLs(c *scan) {
	for at := 0; ; {
		i := strings.Index(c.text[at:], "://")
		if i < 0 {
			return
		}
		at += i + 3
		n := run(c.text[:min(len(c.text), at+longestValue)], at, func(b byte) bool { return !isSpace(b) && strings.IndexByte("\"'`<>", b) < 0 })
		rest := c.text[at : at+n]
		c.userinfo(at, rest)
		c.webhook(at, rest)
		c.query(at, rest)
	}
}

// userinfo takes the password out of user:password@host, and a token that
// stands for a user.
func (c *scan) userinfo(at int, rest string) {
	slash := strings.IndexAny(rest, "/?#,")
	if slash < 0 {
		slash = len(rest)
	}
	end := strings.LastIndexByte(rest[:slash], '@')
	colon := strings.IndexByte(rest[:slash], ':')
	if end < 0 && colon >= 0 && slash < len(rest) && run(rest, colon+1, isDigit) != slash-colon-1 {
		end = strings.IndexByte(rest, '@') // the password has a slash
	}
	if end <= 0 {
		return
	}
	if colon < 0 || colon > end {
		if user := rest[:end]; random(user, 20) {
			c.add(at, at+end, "url-token")
		}
		return
	}
	user, pw := rest[:colon], rest[colon+1:end]
	if pw == "" || strings.EqualFold(user, pw) || placeholder(pw) {
		if random(user, 24) && !strings.EqualFold(user, pw) {
			c.add(at, at+colon, "url-token")
		}
		return
	}
	c.add(at+colon+1, at+end, "url-password")
}

// webhooks are hosts whose paths are secret, and how deep the secret lies.
var webhooks = []struct{ prefix, after string }{
	{"hooks.slack.com/", ""}, {"discord.com/api/webhooks/", ""}, {"discordapp.com/api/webhooks/", ""}, {"canary.discord.com/api/webhooks/", ""}, {"ptb.discord.com/api/webhooks/", ""},
	{"outlook.office.com/webhook/", ""}, {"hooks.zapier.com/hooks/catch/", ""}, {"chat.googleapis.com/v1/spaces/", "key="}, {"api.telegram.org/bot", ""}, {"maker.ifttt.com/trigger/", "/with/key/"},
	{"hooks.teams.microsoft.com/", ""}, {"open.feishu.cn/open-apis/bot/v2/hook/", ""}, {"oapi.dingtalk.com/robot/send", "access_token="}, {"hc-ping.com/", ""}, {"events.pagerduty.com/integration/", ""}, {"api.pushover.net/", "token="}, {"ntfy.sh/", "auth="}, {"hook.eu1.make.com/", ""}, {"hook.us1.make.com/", ""}, {"hook.integromat.com/", ""},
}

func (c *scan) webhook(at int, rest string) {
	host, path, _ := strings.Cut(rest, "/")
	if strings.HasSuffix(host, ".webhook.office.com") && len(path) > 40 {
		c.add(c.schemeStart(at), at+len(rest), "webhook")
		return
	}
	for _, w := range webhooks {
		if !strings.HasPrefix(rest, w.prefix) {
			continue
		}
		secret := rest[len(w.prefix):]
		if i := strings.Index(secret, w.after); i < 0 || len(secret[i+len(w.after):]) < 20 {
			continue
		}
		v := strings.TrimRight(rest, ".,;:)]}")
		if !sampled(v) && !masked(v) && !strings.ContainsAny(v, "{$") && (w.prefix != "hc-ping.com/" || uuid(secret[:min(36, len(secret))])) {
			c.add(c.schemeStart(at), at+len(v), "webhook")
		}
	}
}

// schemeStart is where the scheme of the address begins whose host is at i.
func (c *scan) schemeStart(i int) int {
	for i -= len("://"); i > 0 && isLower(c.text[i-1]); {
		i--
	}
	return i
}

// queryNames are parameters of addresses that names in other places are not.
var queryNames = set(`sig signature key code2 auth access_token id_token refresh_token token apikey api_key api-key client_secret secret password passwd pwd
	x-amz-signature x-amz-security-token x-goog-signature hmac sas_token st2 authkey auth_token private_token session_token jwt assertion oauth_token appid
	x-amz-credential subscription-key key2 code_verifier`)

// query takes out the values of a URL's secret parameters, in its query or
// fragment.
func (c *scan) query(at int, rest string) {
	q := strings.IndexAny(rest, "?#")
	if q < 0 {
		return
	}
	for at, rest = at+q+1, rest[q+1:]; rest != ""; {
		part := rest
		n := strings.IndexAny(rest, "&;#?")
		if n >= 0 {
			part = rest[:n]
		} else {
			n = len(rest)
		}
		name, v, _ := strings.Cut(part, "=")
		v = strings.TrimRight(v, ".,;:)]}")
		if queryNames[strings.ToLower(name)] && len(v) < longestValue && (random(unescape(v), 16) || uuid(v) || allHex(v, 24) || strings.HasPrefix(name, "pass") && guessable(v, 4)) {
			c.add(at+len(name)+1, at+len(name)+1+len(v), "url-token")
		}
		if n == len(rest) {
			return
		}
		at, rest = at+n+1, rest[n+1:]
	}
}

// unescape takes the percent signs of an escaped value for letters.
func unescape(v string) string { return strings.ReplaceAll(v, "%", "") }

// notUsers stand before a colon and an at sign without being anybody.
var notUsers = set(`npm workspace file jsr pkg git docker mailto ssh link patch catalog http https image sha256 node python note see ping cc todo by via email contact from to`)

// scanLogins finds user:password@host and user/password@host without a scheme.
func scanLogins(c *scan) {
	for at := 0; ; {
		i := strings.IndexByte(c.text[at:], '@')
		if i < 0 {
			return
		}
		at += i + 1
		c.login(at - 1)
	}
}

// oracle says that a program that takes user/password@host stands before it.
func oracle(before string) bool {
	for _, p := range []string{"sqlplus", "sqlldr", "expdp", "impdp", "rman", "sqlcl", "oracle"} {
		if strings.Contains(before, p) {
			return true
		}
	}
	return false
}

func (c *scan) login(at int) {
	start := at
	for start > 0 && at-start < 100 && !isSpace(c.text[start-1]) && strings.IndexByte("\"'`<>(=,", c.text[start-1]) < 0 {
		start--
	}
	left := c.text[start:at]
	if i := strings.Index(left, "jdbc:oracle:"); i >= 0 { // jdbc:oracle:thin:user/pw@
		if slash := strings.IndexByte(left, '/'); slash > i {
			start += strings.LastIndexByte(left[:slash], ':') + 1
			left = c.text[start:at]
		}
	}
	sep := strings.IndexByte(left, ':')
	if sep < 0 {
		sep = strings.IndexByte(left, '/')
	}
	if sep <= 0 || strings.Contains(left, "://") || strings.HasPrefix(left, "//") {
		return
	}
	user, pw := left[:sep], left[sep+1:]
	host := c.text[at+1 : at+1+run(c.text[:min(len(c.text), at+120)], at+1, func(b byte) bool { return isAlnum(b) || b == '.' || b == '-' || b == '(' || b == '/' })]
	next := byte(0)
	if n := at + 1 + len(host); n < len(c.text) {
		next = c.text[n]
	}
	dsn := strings.HasPrefix(host, "tcp(") || strings.HasPrefix(host, "unix(")
	if !dsn && (host == "" || !isAlnum(host[0]) && left[sep] != '/' || strings.HasPrefix(host, "sha256") || strings.HasPrefix(host, "sha512") || next != ':' && !strings.ContainsAny(host, "./") && left[sep] != '/') {
		return
	}
	if notUsers[strings.ToLower(user)] || run(user, 0, func(b byte) bool { return isWord(b) || b == '-' || b == '.' || b == '\\' }) != len(user) || pw == "" || strings.HasPrefix(pw, "//") || strings.EqualFold(user, pw) {
		return
	}
	if left[sep] == '/' && (!oracle(c.text[max(0, start-60):start]) || strings.ContainsAny(pw, "/") || !guessable(pw, 6) || strings.Contains(user, ".")) {
		return
	}
	if dsn && !placeholder(pw) || guessable(pw, 4) && !strings.Contains(pw, "/") {
		c.add(start+sep+1, at, "url-password")
	}
}
