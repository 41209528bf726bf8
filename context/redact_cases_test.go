package memory

import "testing"

// cases are the project's own: invented secrets, stored in parts, and texts
// that look like some.
const cases = "../testdata/memory/"

func TestRedactTakesSecretsOut(t *testing.T) {
	t.Parallel()
	checkRemoved(t, readCases(t, cases+"secrets.jsonl"))
}

func TestRedactLeavesTheRest(t *testing.T) {
	t.Parallel()
	checkKept(t, readCases(t, cases+"harmless.jsonl"))
}
