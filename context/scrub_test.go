package memory

import (
	"fmt"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestWhatIsOldIsCleanedOnItsWayOut has records as they were stored before there
// was a rule for what is in them.
func TestWhatIsOldIsCleanedOnItsWayOut(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	secret := "AKIA" + "QX7TYUIZPASDFGH2"
	old, at := "the bucket opens with "+secret, s.now()
	n := Note{ID: newID(at), Project: p, Kind: Fact, Text: old, Title: "opened by " + secret, Reason: old, Tags: []string{secret}, Created: at, Updated: at}
	if err := s.update(t.Context(), func(tx *bolt.Tx) error {
		if err := insert(tx, n, &n); err != nil {
			return err
		}
		task := Task{ID: newID(at), Project: p, Task: old, Next: old, Updated: at}
		if err := put(tx.Bucket(bucketTasks), append(taskPrefix(p, ""), task.ID...), task); err != nil {
			return err
		}
		h := Handoff{ID: newID(at), Project: p, Title: old, Text: old, Updated: at}
		if err := put(tx.Bucket(bucketHandoffs), []byte(string(p)+string(h.ID)), h); err != nil {
			return err
		}
		return s.addEvent(tx, Event{Project: p, Kind: "test", Text: old, At: at})
	}); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	show := func(what string, v any, err error) {
		t.Helper()
		text := fmt.Sprintf("%+v", v)
		if err != nil || strings.Contains(text, secret) || !strings.Contains(text, "[REDACTED:") {
			t.Errorf("%s: %s, %v", what, text, err)
		}
	}
	one, err := s.Note(n.Short)
	show("a note", one, err)
	list, err := s.Notes(Listing{Project: p})
	show("notes", list, err)
	for _, query := range []string{"bucket", secret, "with"} {
		found, err := s.Search(t.Context(), Query{Text: query})
		show("a search for "+query, found.Hits, err)
	}
	task, _, err := s.Task(p, "")
	show("a task", task, err)
	tasks, err := s.Tasks(p)
	show("tasks", tasks, err)
	events, err := s.Events(p, "", 0)
	show("events", events, err)
	hands, err := s.Handoffs(p, 0)
	show("hand-offs", hands, err)
	seen, err := s.Verify(t.Context(), n.ID, Verified, "", nil, Author{})
	show("a verified note", seen, err)
}
