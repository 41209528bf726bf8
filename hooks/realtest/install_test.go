package realtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// node is what the agents that are scripts run on.
const nodePackage, nodeVersion = "node", "22"

var installing sync.Mutex

// cache is where packages stay between runs.
func cache() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "deck-agents"), err
}

// install puts a pinned package into the cache, once, and returns the folder of
// its programs.
func install(ctx context.Context, pkg, version string) (string, error) {
	installing.Lock()
	defer installing.Unlock()
	root, err := cache()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, strings.NewReplacer("/", "-", "@", "").Replace(pkg)+"-"+version)
	bin := filepath.Join(dir, "node_modules", ".bin")
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", err
	}
	// Half an installation must not be taken for one.
	part, err := os.MkdirTemp(root, ".part")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	if err := os.WriteFile(filepath.Join(part, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--loglevel=error", pkg+"@"+version)
	cmd.Dir = part
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install %s@%s: %w: %s", pkg, version, err, out)
	}
	return bin, os.Rename(part, dir)
}
