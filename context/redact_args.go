package memory

import "strings"

// argument says which argument of a program is secret: the one that comes n
// after the first that begins with a mark, or the last one where n is 0.
type argument struct {
	program string
	mark    string // "" is the program itself
	n       int
}

// secretArguments are the programs that take a secret without a flag.
var secretArguments = []argument{
	{"wpa_passphrase", "", 2}, {"nmcli", "password", 1}, {"mysqladmin", "password", 1},
	{"rabbitmqctl", "add_user", 2}, {"rabbitmqctl", "change_password", 2}, {"rabbitmqctl", "authenticate_user", 2},
	{"composer", "http-basic.", 2}, {"composer", "bearer.", 1}, {"composer", "github-oauth.", 1}, {"composer", "gitlab-token.", 1}, {"composer", "gitlab-oauth.", 1},
	{"bundle", "config", 0}, {"net", "user", 2}, {"redis-cli", "auth", 0}, {"valkey-cli", "auth", 0}, {"htpasswd", "-b", 0},
	{"vault", "unseal", 1}, {"vault", "login", 1},
}

// arg is a word of a command line as it lies in the text.
type arg struct {
	text  string
	start int
}

// arguments looks at a line for a program that takes a secret as an argument.
func (c *scan) arguments(i int, line string) {
	for _, a := range secretArguments {
		k := strings.Index(line, a.program)
		if k < 0 || k > 0 && isWord(line[k-1]) {
			continue
		}
		args := argsOf(line, k, i)
		if len(args) < 2 || args[0].text != a.program {
			continue
		}
		if v, ok := a.of(args); ok {
			c.argument(v)
		}
	}
}

// of picks the secret one of a program's arguments.
func (a argument) of(args []arg) (arg, bool) {
	from := 0
	if a.mark != "" {
		for from = 1; from < len(args) && !a.begins(args[from].text); from++ {
		}
	}
	var plain []arg
	for _, v := range args[min(from+1, len(args)):] {
		if !strings.HasPrefix(v.text, "-") {
			plain = append(plain, v)
		}
	}
	switch {
	case a.n > len(plain), a.n == 0 && len(plain) < 2 && a.mark[0] == '-', len(plain) == 0:
		return arg{}, false
	case a.n == 0:
		return plain[len(plain)-1], true
	}
	return plain[a.n-1], true
}

// begins says that a word is the mark; short flags may stand together.
func (a argument) begins(word string) bool {
	if a.mark[0] == '-' {
		return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.Contains(word, a.mark[1:])
	}
	return strings.HasPrefix(strings.ToLower(word), a.mark)
}

// argument takes out what stands where a secret does: itself, or the
// password of user:password.
func (c *scan) argument(v arg) {
	if strings.IndexByte(v.text, ':') > 0 {
		c.userPass(v.text, v.start, ":")
		return
	}
	if name := run(v.text, 0, isLower); name > 1 && strings.Contains(strings.TrimRight(v.text[name:], "="), "=") && v.text[name] == '=' {
		return // name=value is looked at as an assignment
	}
	if len(v.text) > 3 && !placeholder(v.text) && !code(v.text) && (strings.ContainsAny(v.text, " ") || guessable(v.text, 6) || random(v.text, 16)) {
		c.add(v.start, v.start+len(v.text), "password")
	}
}

// argsOf cuts a line into words from k on, up to what ends a command. The line
// lies at offset in the text.
func argsOf(line string, k, offset int) (out []arg) {
	for at := k; at < len(line) && len(out) < 16; {
		switch b := line[at]; {
		case isBlank(b):
			at++
		case strings.IndexByte("|;&><#`)", b) >= 0:
			return out
		case b == '"' || b == '\'':
			v, start, _ := quotedValue(line, at+1, b)
			out = append(out, arg{v, offset + start})
			at = start + len(v) + 1
		default:
			n := run(line, at, func(b byte) bool { return !isSpace(b) && strings.IndexByte("\"'`;|>", b) < 0 })
			out = append(out, arg{line[at : at+n], offset + at})
			at += n
		}
	}
	return out
}
