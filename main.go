// Command deck is a terminal multiplexer for AI coding agents.
package main

import (
	"os"

	"deck/ui/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
