package wire

import (
	"context"
	"net/http"
	"net/url"
)

// Worktree is a row of GET /v1/worktrees?dir=PATH: a checkout of the repository
// that a folder is in.
type Worktree struct {
	Path        string   `json:"path"`
	Branch      string   `json:"branch,omitempty"` // empty where no branch is checked out
	Head        string   `json:"head,omitempty"`   // the commit that is checked out
	Main        bool     `json:"main,omitempty"`   // the repository's own
	Uncommitted int      `json:"uncommitted"`      // files that are changed or not known to git
	Unpushed    int      `json:"unpushed"`         // commits that neither a remote nor another branch has
	Panes       []string `json:"panes,omitempty"`  // nicks of those that work there
	Missing     bool     `json:"missing,omitempty"`
}

// RemoveWorktree is POST /v1/worktrees/remove. It never removes what would lose
// work; the branch stays in any case.
type RemoveWorktree struct {
	Dir      string `json:"dir"`      // in the repository
	Worktree string `json:"worktree"` // its branch or its path
	// Leaving are ids of panes that the caller is about to close: while their agents
	// are at rest they are nobody who works there.
	Leaving []string `json:"leaving,omitempty"`
}

// The codes of errors about worktrees.
const (
	CodeNoRepository = "no_repository"      // 422: the folder is in no git repository
	CodeNoWorktree   = "worktree_not_found" // 404: the repository has no such worktree
	CodeHasWork      = "worktree_has_work"  // 409: something in it is nowhere else
	CodeInUse        = "worktree_in_use"    // 409: a pane works there
	CodeGit          = "git_failed"         // 422: git could not do it
)

// Worktrees lists the checkouts of the repository of a folder.
func (c *Conn) Worktrees(ctx context.Context, dir string) ([]Worktree, error) {
	return call[[]Worktree](ctx, c, http.MethodGet, "/v1/worktrees?"+url.Values{"dir": {dir}}.Encode(), nil)
}

// RemoveWorktree removes one without work in it.
func (c *Conn) RemoveWorktree(ctx context.Context, r RemoveWorktree) (Worktree, error) {
	return call[Worktree](ctx, c, http.MethodPost, "/v1/worktrees/remove", r)
}
