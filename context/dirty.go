package memory

import (
	"context"
	"strings"
)

// Run starts git in a folder with arguments and answers what it prints.
type Run func(ctx context.Context, dir string, args ...string) ([]byte, error)

// Dirty lists the changed files of a checkout as "M path", at most 200 of them
// and nothing that holds secrets. Git is asked through run, which keeps to ctx;
// what does not answer in time has no changed files. Programs that the repository's
// configuration names as filters are not run: whoever can write there is not
// always let start something.
func Dirty(ctx context.Context, p Place, run Run) []string {
	if !p.Git {
		return nil
	}
	names, err := run(ctx, p.Checkout, "config", "--list", "--name-only", "-z")
	if err != nil {
		return nil
	}
	args, ok := withoutFilters(string(names))
	if !ok {
		return nil
	}
	// Without optional locks git writes nothing, so it disturbs no other git. Submodules
	// have a configuration of their own.
	out, err := run(ctx, p.Checkout, append(args, "--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=normal",
		"--ignore-submodules=dirty")...)
	if err != nil {
		return nil
	}
	return parseStatus(string(out))
}

// withoutFilters are the arguments that take away each filter of a configuration
// whose keys these are. It is false where one has a name that no argument can have.
func withoutFilters(keys string) (args []string, ok bool) {
	seen := map[string]bool{}
	for key := range strings.SplitSeq(keys, "\x00") {
		name := key[:max(strings.LastIndexByte(key, '.'), 0)]
		if !strings.HasPrefix(name, "filter.") || seen[name] {
			continue
		}
		if strings.Contains(name, "=") {
			return nil, false
		}
		seen[name] = true
		args = append(args, "-c", name+".clean=", "-c", name+".process=", "-c", name+".required=false")
	}
	return args, true
}

// parseStatus reads git status --porcelain -z: entries of two letters, a blank
// and a path, ended by NUL; a rename has the old path as a further entry.
func parseStatus(out string) []string {
	const most = 200
	var files []string
	entries := strings.Split(out, "\x00")
	for i := 0; i < len(entries) && len(files) < most; i++ {
		e := entries[i]
		if len(e) < 4 || e[2] != ' ' {
			continue
		}
		if e[0] == 'R' || e[0] == 'C' {
			i++
		}
		if name := clean(e[3:]); name != "" && !Sensitive(name) {
			files = append(files, strings.TrimSpace(e[:2])+" "+name)
		}
	}
	return files
}
