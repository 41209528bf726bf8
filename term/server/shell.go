package server

import (
	"bufio"
	"os"
	"strings"
)

// loginShell returns the shell that /etc/passwd gives a user, empty where it
// gives none.
func loginShell(name string) string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.Split(lines.Text(), ":"); len(fields) == 7 && fields[0] == name {
			return fields[6]
		}
	}
	return ""
}
