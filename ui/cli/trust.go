package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// maxTrusted is the longest file that can be trusted, in bytes.
const maxTrusted = 1 << 20

// trustCmd is "deck trust".
func trustCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "trust FILE...",
		Short: "let deck use files of a project that start or run something",
		Long: `Let deck use files of a project that start or run something: the definitions
in .deck/agents and the script .deck/worktree-setup. It is a person's word, and
good for the file as it is: once it has changed it has to be trusted again. The
file is printed, so that you see what you trust.`,
		Example: "  deck trust .deck/agents/reviewer.md",
		Args:    atLeast("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.ensure(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			var errs []error
			for _, file := range args {
				text, path, err := readTrusted(file)
				if err == nil {
					sum := sha256.Sum256(text)
					if err = c.Trust(cmd.Context(), wire.Trust{Path: path, Sum: hex.EncodeToString(sum[:])}); err == nil {
						err = a.printTrusted(text, path)
					}
				}
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		},
	}
}

func readTrusted(file string) (text []byte, path string, err error) {
	if path, err = filepath.Abs(file); err != nil {
		return nil, "", err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, path, fmt.Errorf("no such file: %s", file)
	case !info.Mode().IsRegular():
		return nil, path, fmt.Errorf("not a file: %s", file)
	case info.Size() > maxTrusted:
		return nil, path, fmt.Errorf("the file is longer than %d bytes: %s", maxTrusted, file)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, path, err
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, maxTrusted))
	return text, path, err
}

func (a *app) printTrusted(text []byte, path string) error {
	for line := range strings.Lines(string(text)) {
		if _, err := fmt.Fprintln(a.stdout, clean(line)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.stderr, "deck: trusted as it is: %s\n", clean(a.tilde(path)))
	return err
}
