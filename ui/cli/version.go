package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// versionInfo is what "deck version --json" prints.
type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the source it was built from
	Protocol int    `json:"protocol"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionCmd is "deck version". It is about this program and asks no server.
func versionCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "version",
		Short:   "print the version",
		Example: "  deck version --json",
		Args:    exactly(),
		RunE: func(*cobra.Command, []string) error {
			v := versionInfo{
				Version: wire.Version, Revision: revision(), Protocol: wire.Protocol,
				Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
			}
			if asJSON {
				return printJSON(a.stdout, v)
			}
			_, err := fmt.Fprintf(a.stdout, "deck %s\n", v.Version)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the protocol and the build")
	return c
}

// revision is the commit that the build came from, where Go noted it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	rev, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-modified"
		}
	}
	if rev == "" {
		return ""
	}
	return rev + dirty
}
