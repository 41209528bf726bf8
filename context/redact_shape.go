package memory

import "strings"

// Alphabets of tokens.
const (
	upperNum = iota // A-Z0-9
	alnum           // A-Za-z0-9
	hexLower        // 0-9a-f
	url64           // alnum - _
	std64           // alnum + / =
	wordChar        // alnum _
	dotted          // url64 and dots
	loose           // std64, url64 and dots
	lowerNum        // a-z0-9
)

func inAlphabet(kind int, c byte) bool {
	switch kind {
	case upperNum:
		return isUpper(c) || isDigit(c)
	case hexLower:
		return isDigit(c) || c >= 'a' && c <= 'f'
	case lowerNum:
		return isLower(c) || isDigit(c)
	}
	if isAlnum(c) {
		return true
	}
	return strings.IndexByte([...]string{alnum: "", url64: "-_", std64: "+/=", wordChar: "_", dotted: "-_.", loose: "+/=-_."}[kind], c) >= 0
}

// shape is how a vendor's tokens look: a prefix and what follows it.
type shape struct {
	prefix   string
	alphabet int
	least    int // characters after the prefix
	rule     string
}

// shapes are the prefixes vendors publish, so that tokens can be found.
var shapes = []shape{
	{"AKIA", upperNum, 16, "aws"}, {"ASIA", upperNum, 16, "aws"}, {"ABIA", upperNum, 16, "aws"}, {"ACCA", upperNum, 16, "aws"},
	{"A3T", upperNum, 17, "aws"}, {"ABSK", std64, 80, "aws"}, {"amzn.mws.", url64, 36, "aws"}, {"amzn1.oa2-cs.v1.", hexLower, 40, "aws"},
	{"AIza", url64, 33, "google"}, {"ya29.", dotted, 20, "google"}, {"GOCSPX-", url64, 20, "google"}, {"1//0", url64, 30, "google"},
	{"ghp_", alnum, 30, "github"}, {"gho_", alnum, 30, "github"}, {"ghu_", alnum, 30, "github"}, {"ghs_", alnum, 30, "github"}, {"ghr_", alnum, 30, "github"},
	{"github_pat_", wordChar, 30, "github"}, {"v1.", hexLower, 40, "github"},
	{"glpat-", dotted, 18, "gitlab"}, {"gldt-", url64, 18, "gitlab"}, {"glrt-", dotted, 18, "gitlab"}, {"glcbt-", url64, 18, "gitlab"},
	{"glptt-", hexLower, 32, "gitlab"}, {"glft-", url64, 18, "gitlab"}, {"glimt-", url64, 18, "gitlab"}, {"glagent-", url64, 30, "gitlab"},
	{"gloas-", url64, 30, "gitlab"}, {"glsoat-", url64, 18, "gitlab"}, {"glffct-", url64, 18, "gitlab"}, {"GR1348941", url64, 18, "gitlab"},
	{"xoxb-", url64, 20, "slack"}, {"xoxp-", url64, 20, "slack"}, {"xoxa-", url64, 20, "slack"}, {"xoxr-", url64, 20, "slack"}, {"xoxs-", url64, 20, "slack"},
	{"xoxo-", url64, 20, "slack"}, {"xoxc-", url64, 20, "slack"}, {"xoxe-", url64, 20, "slack"}, {"xoxe.", dotted, 30, "slack"}, {"xoxd-", loose, 30, "slack"}, {"xapp-", url64, 20, "slack"},
	{"sk_live_", alnum, 14, "stripe"}, {"sk_test_", alnum, 14, "stripe"}, {"rk_live_", alnum, 14, "stripe"}, {"rk_test_", alnum, 14, "stripe"},
	{"sk_prod_", alnum, 14, "stripe"}, {"whsec_", std64, 20, "stripe"}, {"sk_org_", wordChar, 20, "stripe"},
	{"sk-ant-", url64, 24, "anthropic"}, {"sk-or-", url64, 30, "openrouter"}, {"sk-", url64, 20, "openai"}, {"sess-", alnum, 36, "openai"},
	{"xai-", alnum, 40, "xai"}, {"gsk_", alnum, 40, "groq"}, {"pplx-", alnum, 32, "perplexity"}, {"r8_", alnum, 30, "replicate"}, {"hf_", alnum, 30, "huggingface"},
	{"api_org_", alnum, 30, "huggingface"}, {"fw_", alnum, 20, "fireworks"}, {"tgp_v1_", url64, 30, "together"}, {"csk-", alnum, 40, "cerebras"}, {"nvapi-", url64, 40, "nvidia"},
	{"sk_", hexLower, 40, "elevenlabs"}, {"lsv2_pt_", wordChar, 30, "langsmith"}, {"lsv2_sk_", wordChar, 30, "langsmith"}, {"pa-", url64, 40, "voyage"}, {"tvly-", url64, 20, "tavily"},
	{"fc-", hexLower, 32, "firecrawl"}, {"pcsk_", wordChar, 40, "pinecone"}, {"jina_", alnum, 40, "jina"}, {"ctx7sk-", url64, 30, "context7"}, {"crsr_", alnum, 40, "cursor"}, {"key_", hexLower, 40, "cursor"},
	{"npm_", alnum, 30, "npm"}, {"pypi-", url64, 50, "pypi"}, {"rubygems_", hexLower, 40, "rubygems"}, {"cio", alnum, 32, "crates"}, {"oy2", lowerNum, 43, "nuget"}, {"CLOJARS_", lowerNum, 50, "clojars"},
	{"dckr_pat_", url64, 20, "docker"}, {"dckr_oat_", url64, 20, "docker"}, {"SWMTKN-1-", url64, 50, "docker"}, {"dop_v1_", hexLower, 50, "digitalocean"}, {"doo_v1_", hexLower, 50, "digitalocean"},
	{"dor_v1_", hexLower, 50, "digitalocean"}, {"HRKU-", url64, 36, "heroku"}, {"fm1", loose, 60, "fly"}, {"fm2_", loose, 60, "fly"}, {"fo1_", url64, 30, "fly"}, {"vcp_", alnum, 24, "vercel"}, {"vck_", alnum, 24, "vercel"}, {"vercel_blob_rw_", wordChar, 30, "vercel"},
	{"nfp_", alnum, 32, "netlify"}, {"nfc_", alnum, 32, "netlify"}, {"rnd_", alnum, 26, "render"}, {"sbp_", alnum, 36, "supabase"}, {"sb_secret_", url64, 20, "supabase"}, {"pscale_", dotted, 32, "planetscale"}, {"napi_", lowerNum, 40, "neon"},
	{"dapi", hexLower, 32, "databricks"}, {"dp.", dotted, 40, "doppler"}, {"hvs.", url64, 20, "vault"}, {"hvb.", url64, 20, "vault"}, {"hvr.", url64, 20, "vault"}, {"pul-", hexLower, 40, "pulumi"},
	{"NRAK-", upperNum, 20, "newrelic"}, {"NRJS-", hexLower, 19, "newrelic"}, {"NRII-", url64, 30, "newrelic"}, {"NRRA-", hexLower, 40, "newrelic"}, {"glsa_", wordChar, 32, "grafana"}, {"glc_", std64, 32, "grafana"}, {"sntrys_", loose, 40, "sentry"}, {"sntryu_", hexLower, 60, "sentry"},
	{"key-", hexLower, 30, "mailgun"}, {"xkeysib-", url64, 60, "brevo"}, {"xsmtpsib-", url64, 60, "brevo"}, {"PMAK-", url64, 50, "postman"}, {"lin_api_", alnum, 30, "linear"}, {"lin_oauth_", alnum, 30, "linear"},
	{"secret_", alnum, 40, "notion"}, {"ntn_", alnum, 40, "notion"}, {"pat", dotted, 79, "airtable"}, {"ATATT3", loose, 60, "atlassian"}, {"ATCTT3", loose, 60, "atlassian"}, {"ATBB", alnum, 28, "bitbucket"}, {"ATSTT3", loose, 60, "atlassian"},
	{"figd_", url64, 36, "figma"}, {"figu_", url64, 36, "figma"}, {"sl.", url64, 60, "dropbox"}, {"shpat_", hexLower, 30, "shopify"}, {"shpca_", hexLower, 30, "shopify"}, {"shppa_", hexLower, 30, "shopify"}, {"shpss_", hexLower, 30, "shopify"},
	{"shptka_", hexLower, 30, "shopify"}, {"sq0atp-", url64, 22, "square"}, {"sq0csp-", url64, 40, "square"}, {"EAAA", url64, 58, "square"}, {"EAA", alnum, 90, "facebook"}, {"access_token$production$", wordChar, 30, "paypal"}, {"access-production-", url64, 36, "plaid"}, {"access-development-", url64, 36, "plaid"}, {"access-sandbox-", url64, 36, "plaid"},
	{"SK", hexLower, 32, "twilio"}, {"p8e-", alnum, 30, "adobe"}, {"AGE-SECRET-KEY-1", upperNum, 50, "age"}, {"AGE-PLUGIN-", url64, 40, "age"}, {"AAAAAAAAAAAAAAAAAAAAA", loose, 50, "twitter"}, {"LTAI", alnum, 16, "alibaba"}, {"AKID", alnum, 30, "tencent"},
	{"AQVN", url64, 30, "yandex"}, {"y0_", url64, 40, "yandex"}, {"t1.", loose, 80, "yandex"}, {"fio-u-", url64, 60, "frameio"}, {"duffel_live_", url64, 40, "duffel"}, {"duffel_test_", url64, 40, "duffel"}, {"EZAK", alnum, 50, "easypost"}, {"EZTK", alnum, 50, "easypost"}, {"FLWSECK-", url64, 30, "flutterwave"}, {"FLWSECK_TEST-", url64, 12, "flutterwave"},
	{"live_", hexLower, 32, "lob"}, {"rdme_", alnum, 60, "readme"}, {"pnu_", alnum, 34, "prefect"}, {"bkua_", hexLower, 36, "buildkite"}, {"CCIPAT_", wordChar, 40, "circleci"}, {"CCIPRJ_", wordChar, 40, "circleci"}, {"sgp_", wordChar, 40, "sourcegraph"}, {"tskey-", url64, 20, "tailscale"}, {"ops_eyJ", loose, 60, "onepassword"},
	{"dt0c01.", dotted, 60, "dynatrace"}, {"AKCp", alnum, 60, "artifactory"}, {"cmVmdGtu", alnum, 48, "artifactory"}, {"tk-us-", url64, 40, "scaleway"}, {"SCW", upperNum, 17, "scaleway"}, {"tfp_", loose, 50, "typeform"}, {"CFPAT-", url64, 40, "contentful"}, {"dnkey-", url64, 40, "defined"}, {"ico-", alnum, 32, "infracost"}, {"pat-na1-", url64, 36, "hubspot"},
	{"pat-eu1-", url64, 36, "hubspot"}, {"dG9rOg", loose, 30, "intercom"}, {"phx_", alnum, 36, "posthog"}, {"re_", wordChar, 30, "resend"}, {"tr_dev_", alnum, 18, "trigger"}, {"tr_prod_", alnum, 18, "trigger"}, {"v1.0-", url64, 140, "cloudflare"}, {"sha256~", url64, 40, "openshift"}, {"waka_", url64, 36, "wakatime"}, {"ghost_", alnum, 40, "ghost"},
	{"sk.eyJ", dotted, 60, "mapbox"}, {"rpa_", alnum, 40, "runpod"}, {"ak-", url64, 22, "modal"}, {"as-", url64, 22, "modal"}, {"mdp_", alnum, 36, "mapdeploy"}, {"A3-", url64, 38, "onepassword"}, {"hcat_", alnum, 30, "hcp"}, {"shippo_live_", hexLower, 40, "shippo"}, {"shippo_test_", hexLower, 40, "shippo"}, {"sm_aat_", alnum, 16, "settlemint"}, {"ubp_", hexLower, 40, "uber"},
	{"gitea_", hexLower, 40, "gitea"}, {"sqp_", hexLower, 40, "sonarqube"}, {"squ_", hexLower, 40, "sonarqube"}, {"sqa_", hexLower, 40, "sonarqube"}, {"sda_", alnum, 30, "sendbird"}, {"u2f_", alnum, 40, "u2f"}, {"snyk_", url64, 36, "snyk"}, {"dsapi_", alnum, 30, "dspa"}, {"xprv", alnum, 100, "wallet"}, {"zprv", alnum, 100, "wallet"}, {"nsec1", lowerNum, 58, "nostr"},
}

// byFirst are the shapes by the first byte of their prefix.
var byFirst = func() (t [256][]shape) {
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return t
}()

// scanShapes finds tokens that tell by themselves what they are.
func scanShapes(c *scan) {
	s := c.text
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) || !tokenStart(s, i) {
			continue
		}
		if end, rule := shapeAt(s, i); end > 0 {
			c.add(i, end, rule)
			i = end - 1
			continue
		}
		if end, rule := freeShape(s, i); end > 0 {
			c.add(i, end, rule)
			i = end - 1
		}
	}
}

// tokenStart says that no token can reach back over i.
func tokenStart(s string, i int) bool {
	if i == 0 || !isWord(s[i-1]) {
		return true
	}
	if i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0 {
		return true
	}
	return i > 2 && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1])
}

func shapeAt(s string, i int) (int, string) {
	for _, sh := range byFirst[s[i]] {
		if !strings.HasPrefix(s[i:], sh.prefix) {
			continue
		}
		at := i + len(sh.prefix)
		n := run(s[:min(len(s), at+longestValue)], at, func(b byte) bool { return inAlphabet(sh.alphabet, b) })
		for n > 0 && strings.IndexByte("-_.", s[at+n-1]) >= 0 && sh.alphabet != url64 && sh.alphabet != wordChar {
			n-- // the end of a sentence
		}
		if n < sh.least || at+n < len(s) && isWord(s[at+n]) || cutOff(s[at+n:]) {
			continue
		}
		if body := s[at : at+n]; tokenBody(body, sh) {
			return at + n, sh.rule
		}
	}
	return 0, ""
}

// cutOff says that a token that is followed so was shortened for show.
func cutOff(rest string) bool {
	return strings.HasPrefix(rest, "..") || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "**") || strings.HasPrefix(rest, "[...")
}

// tokenBody says that what follows a prefix is no word and no sample. The
// shorter a prefix, the more it has to prove.
func tokenBody(body string, sh shape) bool {
	if masked(body) || sampled(sh.prefix+body) {
		return false
	}
	c := classesOf(body)
	if c.distinct < 6 {
		return false
	}
	if sh.alphabet == upperNum && c.distinct > 7 || len(sh.prefix) > 6 && sh.alphabet != url64 && sh.alphabet != dotted {
		return true
	}
	if sh.rule == "airtable" && strings.IndexByte(body, '.') != 14 {
		return false
	}
	return (c.digit > 0 || isMixed(body) && strangeCase(body) || sh.alphabet == alnum && c.letters() == len(body) && isMixed(body)) && !wordy(body)
}

// sampled says that a token is printed in a vendor's documentation.
func sampled(token string) bool {
	l := strings.ToLower(token)
	for _, w := range []string{"example", "placeholder", "your", "dummy", "fake", "0123456789", "1234567890", "abcdefgh", "redacted", "sample", "changeme"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	for _, w := range samples {
		if strings.Contains(token, w) {
			return true
		}
	}
	return false
}

// freeShape finds tokens that are known by how they are built.
func freeShape(s string, i int) (int, string) {
	v := cutAt(s[i:], 4<<10)
	if len(v) < 24 {
		return 0, ""
	}
	for _, f := range freeShapes {
		if end := f.end(v); end > 0 && !sampled(v[:end]) && !masked(v[:end]) {
			return i + end, f.rule
		}
	}
	return 0, ""
}

var freeShapes = []struct {
	rule string
	end  func(string) int
}{
	{"jwt", jwtEnd},
	{"sendgrid", func(v string) int { return parts(v, "SG", 0, '.', 22, 43) }},
	{"telegram", telegramEnd},
	{"discord", discordEnd},
	{"mailchimp", mailchimpEnd},
	{"azure", azureSecretEnd},
	{"terraform", func(v string) int {
		if strings.HasPrefix(v[14:], ".atlasv1.") {
			return 14 + 9 + run(v, 14+9, func(c byte) bool { return inAlphabet(url64, c) })
		}
		return 0
	}},
	{"vault", func(v string) int { // before 1.10: s. and 24 characters
		if strings.HasPrefix(v, "s.") && run(cutAt(v, 40), 2, isAlnum) == 24 && random(v[2:26], 24) && classesOf(v[2:26]).digit > 1 {
			return 26
		}
		return 0
	}},
}

// parts measures head + sep + a characters + sep + b characters.
func parts(v, head string, _ int, sep byte, a, b int) int {
	rest, ok := strings.CutPrefix(v, head+string(sep))
	is := func(c byte) bool { return inAlphabet(url64, c) }
	if !ok || run(rest, 0, is) < a-6 {
		return 0
	}
	n := run(rest, 0, is)
	if n >= len(rest) || rest[n] != sep {
		return 0
	}
	m := run(rest, n+1, is)
	if m < b-8 {
		return 0
	}
	return len(head) + 1 + n + 1 + m
}

// jwtEnd measures a signed or encrypted JSON Web Token: parts in base64url, the
// first of which is a JSON object.
func jwtEnd(v string) int {
	if !strings.HasPrefix(v, "eyJ") && !strings.HasPrefix(v, "ewog") {
		return 0
	}
	is := func(c byte) bool { return inAlphabet(url64, c) || c == '=' }
	at, n := 0, 0
	for n < 5 {
		w := run(v, at, is)
		if w == 0 && n < 2 {
			return 0
		}
		at += w
		n++
		if at >= len(v) || v[at] != '.' || n == 5 {
			break
		}
		at++
	}
	if n < 2 || at < 40 {
		return 0
	}
	return at
}

// telegramEnd measures a bot's number, a colon and 35 characters.
func telegramEnd(v string) int {
	n := run(cutAt(v, 16), 0, isDigit)
	if n < 7 || n > 12 || n >= len(v) || v[n] != ':' {
		return 0
	}
	m := run(v, n+1, func(c byte) bool { return inAlphabet(url64, c) })
	if m < 30 || m > 46 || !random(v[n+1:n+1+m], 30) {
		return 0
	}
	return n + 1 + m
}

// discordEnd measures the three parts of a bot's token: its id in base64, a
// time, a signature.
func discordEnd(v string) int {
	is := func(c byte) bool { return inAlphabet(url64, c) }
	a := run(cutAt(v, 30), 0, is)
	if a < 23 || a > 28 || strings.IndexByte("MNO", v[0]) < 0 || a >= len(v) || v[a] != '.' {
		return 0
	}
	b := run(v, a+1, is)
	if b < 5 || b > 7 || a+1+b >= len(v) || v[a+1+b] != '.' {
		return 0
	}
	c := run(v, a+b+2, is)
	if c < 20 || c > 45 {
		return 0
	}
	return a + b + c + 2
}

func mailchimpEnd(v string) int {
	n := run(cutAt(v, 34), 0, func(c byte) bool { return inAlphabet(hexLower, c) })
	if n == 32 && strings.HasPrefix(v[n:], "-us") && run(v, n+3, isDigit) > 0 {
		return n + 3 + run(v, n+3, isDigit)
	}
	return 0
}

// azureSecretEnd measures a client secret: three characters, a digit, Q~, 31 or more.
func azureSecretEnd(v string) int {
	if len(v) < 37 || !isDigit(v[3]) || v[4:6] != "Q~" {
		return 0
	}
	if n := run(v, 6, func(c byte) bool { return inAlphabet(dotted, c) || c == '~' }); n >= 30 {
		return 6 + n
	}
	return 0
}
