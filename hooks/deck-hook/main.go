// Command deck-hook is "deck hook AGENT [EVENT]" and nothing else. It exists
// because a program's start is the price of everything linked into it: this one
// starts in a fraction of the time.
package main

import (
	"os"

	"deck/hooks/reporter"
)

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "hook" {
		args = args[1:]
	}
	args = append(args, "", "")
	reporter.Run(args[0], args[1], os.Stdin, os.Stdout, os.Getenv)
}
