package lifecycle

import (
	"testing"
	"time"
)

// logs are what agents and people did, and what follows.
var logs = []struct {
	name string
	log  []step
}{
	// Sources, their order and their time.
	{"nothing is known at first", []step{{0, ticks, "unknown"}, {1, appears, "unknown"}, {60, ticks, "unknown"}}},
	{"the highest source wins", []step{
		{0, appears, ""}, {1, draws("idle"), "idle @manifest:robot"}, {2, report("native:log", "working"), "working @native:log"},
		{3, report("custom:a", "idle"), "idle @custom:a"}, {4, hook("working"), "working @integration:robot"},
		{5, report("manifest:x", "blocked/limit"), "working @integration:robot"}}},
	{"the next takes over", []step{
		{0, appears, ""}, {1, report("custom:a", "idle", ttl(10)), "idle"}, {2, hook("working", ttl(2)), "working"},
		{3.9, ticks, "working"}, {4, ticks, "@custom:a"}, {11, ticks, "working stale @integration:robot"}}},
	{"a report is refreshed by another", []step{
		{0, appears, ""}, {0, draws("idle"), "idle"}, {1, hook("working", ttl(5)), "working"}, {5, hook("working", ttl(5)), "working"},
		{9, ticks, "working"}, {10, ticks, "done"}}},
	{"a silent tool goes on working", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), "working"}, {60, ticks, "working"}, {61, ticks, "working stale"}, {391, ticks, "working stale"}}},
	{"a custom claim is not kept", []step{{0, appears, ""}, {1, report("custom:a", "working", ttl(5)), "working"}, {6, ticks, "unknown"}}},
	{"a word taken back", []step{{0, appears, ""}, {1, hook("working"), "working"}, {2, hook("unknown"), "unknown"}}},
	{"a report that says nothing about the state", []step{{0, appears, ""}, {1, hook("working"), "working"}, {2, hook(""), "working"}}},
	{"a working hook and a screen that says nothing", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), "working"}, {2, draws(""), "working"}, {5, draws(""), "working"}, {20, draws(""), "working"}}},
	{"precedence and time", []step{
		{0, appears, ""}, {0, draws("idle"), "idle @manifest:robot"}, {1, hook("working", ttl(2)), "working @integration:robot"},
		{2, ticks, "working"}, {4, ticks, "@manifest:robot"}}},

	// The order of reports.
	{"a tool's late report after the turn", []step{
		{0, appears, ""}, {1, hook("working", seq(1)), ""}, {2, hook("working", seq(2)), ""}, {3, hook("idle", seq(4)), "idle"}, {3.1, hook("working", seq(3)), "idle"}}},
	{"the same number: the last writer", []step{
		{0, appears, ""}, {1, hook("working", seq(5)), "working"}, {2, hook("idle", seq(5)), "idle"}}},
	{"a report without a number leaves the order", []step{
		{0, appears, ""}, {1, hook("working", seq(5)), ""}, {2, hook("working"), ""}, {3, hook("idle", seq(3)), "working"}}},
	{"a helper's end is not the session's", []step{
		{0, appears, ""}, {1, hook("idle", in("a")), ""}, {2, hook("working", in("b")), ""}, {2.5, hook("unknown", in("b"), helper("h")), "working"},
		{3, hook("idle", in("a")), "working"}}},
	{"a helper's report does not open an ended session again", []step{
		{0, appears, ""}, {1, hook("idle", in("a")), ""}, {2, hook("working", in("b")), ""}, {2.5, hook("unknown", in("b")), "unknown"},
		{2.6, hook("idle", in("b"), helper("h")), ""}, {3, hook("working", in("a")), "working"}}},
	{"a new session begins its numbers anew", []step{
		{0, appears, ""}, {1, hook("working", in("a"), seq(900)), ""}, {2, hook("unknown", in("a"), seq(901)), "unknown"}, {3, hook("working", in("b"), seq(1)), "working"}}},
	{"the newest session leads", []step{
		{0, appears, ""}, {1, hook("working", in("a")), ""}, {2, hook("working", in("b")), ""}, {3, hook("idle", in("b")), "idle"},
		{3.5, hook("working", in("a")), "idle"}, {60, ticks, "idle stale"}}},
	{"a nested run that ends gives the session back", []step{
		{0, appears, ""}, {1, hook("working", in("a"), seq(10)), ""}, {2, hook("idle", in("b"), seq(1)), "idle"},
		{3, hook("unknown", in("b"), seq(2)), "unknown"}, {3.1, hook("working", in("a"), seq(11)), "working"}}},
	{"a session a person goes back to", []step{
		{0, appears, ""}, {1, hook("working", in("a"), seq(10)), ""}, {2, hook("idle", in("b")), "idle"},
		{30, hook("working", in("a"), seq(9)), "idle"}, {31, hook("working", in("a"), seq(11)), "working"}}},

	// The program's own words, in-band.
	{"an approval that no hook tells", []step{
		{0, appears, ""}, {1, says("working", ""), "working @native:osc7501"}, {2, says("blocked/permission", ""), "needs-input/approval"},
		{2.1, hook("needs-input/approval", asks("Bash", "rm x")), "needs-input/approval @integration:robot"},
		{5, says("working", ""), "working @native:osc7501"}, {17, hook("working"), "working @integration:robot"}, {17.5, says("done", ""), "done"}}},
	{"a denial that no hook tells", []step{
		{0, appears, ""}, {1, says("blocked/question", ""), "needs-input/question"}, {1, hook("needs-input/question"), ""}, {3, says("idle", ""), "idle"}}},
	{"a hook that was on its way", []step{
		{0, appears, ""}, {1, says("blocked/permission", ""), "needs-input"}, {1.1, hook("working"), "needs-input"}, {1.39, ticks, "needs-input"}, {1.4, ticks, "working"}}},
	{"hooks that were answered have no say", []step{
		{0, appears, ""}, {1, hook("needs-input/approval", ttl(120)), ""}, {1.1, draws("needs-input/approval"), ""}, {2, types(KeyEnter), ""},
		{2.1, draws(""), "working"}, {3, report("custom:a", "idle"), "idle"}, {4, says("working", ""), "idle @custom:a"}}},
	{"a custom question is not answered by the program", []step{
		{0, appears, ""}, {1, report("custom:a", "needs-input/question"), ""}, {2, says("blocked/permission", ""), ""}, {3, says("working", ""), "needs-input @custom:a"}}},
	{"the kinds of record", []step{
		{0, appears, ""}, {1, says("blocked", ""), "needs-input/unknown"}, {2, says("blocked/auth", ""), "needs-input/authentication"},
		{3, says("error", ""), "blocked/tool_error"}, {4, says("working", ""), "working"}, {5, says("idle", ""), "idle"}, {6, says("clear", ""), "unknown"}}},
	{"without hooks a custom report outranks them", []step{
		{0, appears, ""}, {1, says("idle", ""), "idle"}, {2, report("custom:a", "working"), "working"}, {3, says("idle", ""), "working"},
		{4, hook("working"), "working @integration:robot"}, {5, says("idle", ""), "idle"}}},
	{"records stand", []step{{0, appears, ""}, {1, says("working", ""), "working"}, {400, ticks, "working"}}},
	{"a shell's prompt ends work, not results", []step{
		{0, appears, ""}, {1, says("working", ""), "working"}, {2, prompts, "unknown"}, {3, says("done", ""), "done"}, {4, prompts, "done"}, {5, resets, "unknown"},
		{6, says("error", ""), "blocked"}, {7, prompts, "blocked"}}},
	{"a record before the name is known", []step{{0, says("working", ""), "unknown"}, {3, appears, "working"}, {4, appear("other", 2), "unknown"}}},
	{"a record of something long gone", []step{{0, says("done", ""), "unknown"}, {30, appears, "unknown"}}},

	// Helpers and background work.
	{"the main turn ends while a helper works", []step{
		{0, appears, ""}, {1, hook("working"), ""}, {2, hook("working", helper("a")), ""}, {2, hook("working", helper("b")), ""},
		{3, hook("idle", helper("a")), "working"}, {4, hook("working"), "working"}, {5, hook("done"), "working background"}, {9, hook("idle", helper("b")), "done"}}},
	{"a helper that never ends", []step{
		{0, appears, ""}, {1, hook("working", helper("a"), ttl(20)), ""}, {2, hook("idle", ttl(60)), "working background"}, {21, ticks, "idle"}}},
	{"a helper asks while the main turn ends", []step{
		{0, appears, ""}, {1, hook("working"), ""}, {2, hook("needs-input/approval", helper("a")), "needs-input/approval"},
		{3, hook("done"), "needs-input/approval"}, {4, hook("working", helper("a")), "working background"}}},
	{"a helper's question that the program says is answered", []step{
		{0, appears, ""}, {1, hook("needs-input/approval", helper("a")), "needs-input"}, {1, says("blocked/permission", ""), "needs-input"}, {2, says("working", ""), "working"}}},
	{"a helper of another session asks and is answered", []step{
		{0, appears, ""}, {1, hook("working"), "working"}, {2, hook("needs-input/approval", helper("c")), "needs-input"},
		{3, hook("unknown", helper("c")), "working"}, {4, hook("idle"), "idle"}}},
	{"a child record is background work", []step{
		{0, appears, ""}, {1, says("working", ""), "working"}, {2, says("working", "a/b"), "working"}, {3, says("done", ""), "done background"},
		{4, says("clear", "a"), "done"}}},
	{"a turn is over although the program says that a task works on", []step{
		{0, appears, ""}, {1, hook("working"), "working"}, {2, says("working", ""), "working"}, {3, hook("done", tasks), "done background"}, {3.1, says("working", ""), "done background"},
		{4, hook("working"), "working"}, {5, hook("done"), "done"}, {6, says("working", ""), "working"}}},
	{"a task besides", []step{{0, appears, ""}, {1, hook("idle", tasks), "idle background"}, {2, hook("idle"), "idle"}}},

	// The screen's loan.
	{"the loan and its return", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), "working"}, {1.5, draws("needs-input/approval"), "working"}, {2.9, ticks, "working"},
		{3, ticks, "needs-input/approval @manifest:robot"}, {5, draws("working"), "working @integration:robot"}}},
	{"no loan without output", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, hook("working", ttl(60)), "working"}, {9, ticks, "working"}}},
	{"no loan from a claim that asks", []step{
		{0, appears, ""}, {1, hook("needs-input/question", ttl(60)), ""}, {5, draws("blocked/limit"), "needs-input/question @integration:robot"}}},
	{"a limit above an empty composer", []step{{0, appears, ""}, {1, hook("working"), "working"}, {9, draws("blocked/limit"), "blocked/limit"}}},
	{"a menu under a spinner in the title", []step{
		{0, appears, ""}, {1, signal("title", Working), "working @native:title"}, {2, signal("title", Working), "working"},
		{3.5, draws("needs-input/approval"), "needs-input/approval"}}},
	{"the dialog alone is enough", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("needs-input/approval"), "needs-input/approval"}}},

	// Keys and screen as evidence.
	{"approved, and no hook until the tool ends", []step{
		{0, appears, ""}, {1, hook("working"), ""}, {2, hook("needs-input/approval", ttl(120)), "needs-input"}, {2.1, draws("needs-input/approval"), "needs-input"},
		{5, types(KeyText), "needs-input"}, {5.1, draws("working"), "working"}, {60, hook("working"), "working"}}},
	{"approved, and the screen says nothing", []step{
		{0, appears, ""}, {2, draws("needs-input/approval"), "needs-input"}, {2.1, hook("needs-input/approval", ttl(120)), "needs-input"},
		{5, types(KeyEnter), "needs-input"}, {5.1, draws(""), "working"}, {60, ticks, "working"}, {300, ticks, "working stale"}}},
	{"refused by a choice", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {2.1, draws("needs-input/approval"), "needs-input"},
		{5, types(KeyDigit), ""}, {5.1, draws("idle"), "working"}, {7, ticks, "idle"}}},
	{"refused by Esc", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {2.1, draws("needs-input/approval"), "needs-input"},
		{5, types(KeyEsc), "needs-input"}, {5.1, draws(""), "needs-input"}, {5.2, draws("idle"), "idle"}}},
	{"a dialog gone without a key", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {2.1, draws("needs-input/approval"), ""}, {5, draws("working"), "needs-input"}}},
	{"a dialog that was never seen", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {3, types(KeyEnter), ""}, {5, draws("working"), "needs-input"}}},
	{"a second dialog at once", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {2.1, draws("needs-input/approval"), ""},
		{5, types(KeyEnter), ""}, {5.1, draws("needs-input/approval", shows("other")), "needs-input"}}},
	{"Esc while it works", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {2, draws("working"), ""}, {3, types(KeyEsc), "working"}, {3.1, draws("working"), "working"},
		{3.4, draws("idle"), "idle"}, {70, ticks, "idle"}}},
	{"a key told after what it brought about", []step{
		{0, appears, ""}, {2, hook("needs-input/approval", ttl(120)), ""}, {2.1, draws("needs-input/approval"), ""},
		{5, draws(""), "needs-input"}, {5.1, lateKey(KeyEnter), "working"}, {9, ticks, "working"}}},
	{"Esc told after what it brought about", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {2, draws("working"), ""}, {3, draws("idle"), "working"}, {3.1, lateKey(KeyEsc), "idle"}}},
	{"Esc ends helpers too", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {1, hook("working", helper("h"), ttl(60)), ""}, {2, draws("working"), ""},
		{3, types(KeyEsc), ""}, {3.1, draws("idle"), "idle"}}},
	{"a refusal that is worked on for a moment", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("needs-input/approval"), "needs-input"}, {3, types(KeyEsc), "needs-input"},
		{3.2, draws("working"), "working"}, {3.6, draws("idle"), "idle"}}},
	{"a prompt does not wake helpers", []step{
		{0, appears, ""}, {1, hook("idle", helper("h")), ""}, {1, report("custom:a", "idle", ttl(20)), "idle"}, {2, types(KeyEnter), ""}, {3, draws("working"), "working"},
		{4, report("custom:a", "idle"), "idle"}}},
	{"Esc, then a prompt", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {3, types(KeyEsc), ""}, {3.2, types(KeyEnter), ""}, {3.4, draws("idle"), "working"}}},
	{"Esc in a dialog, and it goes on", []step{
		{0, appears, ""}, {1, hook("needs-input/question", ttl(60)), ""}, {1.1, draws("needs-input/question"), ""}, {3, types(KeyEsc), "needs-input"}, {3.4, draws("working"), "working"}}},
	{"a question after the key", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), ""}, {2, types(KeyEnter), ""}, {5, hook("needs-input/question", ttl(60)), "needs-input"},
		{5.1, draws("working"), "needs-input"}}},
	{"a dialog that is gone from the screen first", []step{
		{0, appears, ""}, {1, signal("title", NeedsInput), "needs-input/unknown"}, {1.1, draws("needs-input/approval"), "needs-input/approval"}, {2, types(KeyEnter), ""},
		{2.1, draws("working"), "needs-input/approval"}, {2.2, signal("title", Working), "working"}, {3, signal("title", NeedsInput), "needs-input/unknown"}}},
	{"a title that goes on for a moment after Esc", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {1.2, signal("title", Working), ""}, {2, draws("working"), ""}, {3, types(KeyEsc), "working"},
		{3.1, draws("idle"), "working @native:title"}, {3.2, signal("title", Working), "working"}, {3.4, signal("title", ""), "idle"},
		{5, hook("working", ttl(60)), "working"}, {5.1, signal("title", Working), "working"}, {6, hook("done"), "done"}}},
	{"a title that works after Esc and Enter is of another turn", []step{
		{0, appears, ""}, {0.5, draws("working"), ""}, {1, signal("title", Working), ""}, {2, types(KeyEsc), ""}, {2.1, draws("idle"), "working"}, {2.4, signal("title", ""), "idle"},
		{3, types(KeyEnter), "idle"}, {3.1, signal("title", Working), "working"}, {4, signal("title", ""), "done"}}},
	{"a refusal that is seen first and worked on then", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("needs-input/approval"), "needs-input"}, {3, types(KeyEsc), "needs-input"},
		{3.1, draws("idle"), "idle"}, {3.2, draws("working"), "working"}, {4, draws("idle"), "working"}, {5, ticks, "idle"}}},
	{"the end that Esc asked for, told before it is seen", []step{
		{0, appears, ""}, {1, hook("needs-input/approval", ttl(60)), ""}, {1.1, draws("needs-input/approval"), ""}, {3, types(KeyEsc), "needs-input"},
		{3.1, hook("working"), "working"}, {3.11, hook("done"), "idle"}, {3.2, draws("idle"), "idle"}, {5, hook("working"), ""}, {6, hook("done"), "done"}}},
	{"the end that Esc asked for, told after it is seen", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {2, draws("working"), ""}, {3, types(KeyEsc), "working"}, {3.1, draws("idle"), "idle"},
		{3.15, hook("done"), "idle"}, {4, types(KeyEnter), ""}, {5, hook("working"), ""}, {6, hook("done"), "done"}}},
	{"Esc long ago", []step{
		{0, appears, ""}, {1, hook("working", ttl(60)), ""}, {2, types(KeyEsc), ""}, {3, draws("working"), ""}, {20, draws("idle"), "working"}, {30, ticks, "working"}}},
	{"only the end of a turn is told", []step{
		{0, appears, ""}, {1, hook("idle", ttl(120)), "idle"}, {5, types(KeyEnter), "idle"}, {5.5, draws("working"), "working"}}},
	{"work on the screen that no prompt began", []step{{0, appears, ""}, {1, hook("idle", ttl(60)), ""}, {5, draws("working"), "idle"}}},
	{"a shell escape", []step{
		{0, appears, ""}, {1, hook("idle", ttl(60)), "idle"}, {2, draws("idle"), ""}, {3, types(KeyText), ""}, {3.5, types(KeyEnter), ""}, {4, draws("idle"), "idle"}, {100, ticks, "idle"}}},
	{"a late notification", []step{
		{0, appears, ""}, {1, hook("needs-input/question"), "needs-input"}, {2, hook("working"), "working"}, {3, draws("working"), ""},
		{8, hook("needs-input/approval", confirm), "working"}}},
	{"a notification of what is shown", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {6, hook("needs-input/approval", confirm), "needs-input @integration:robot"}}},

	// What the screen shows only for a moment.
	{"a gap between two tools", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("idle"), "working"}, {2.5, ticks, "working"}, {2.5, draws("working"), "working"}, {4, draws(""), "working"},
		{5, draws("working"), "working"}, {6, draws("idle"), "working"}, {7.5, ticks, "done"}}},
	{"no rule matches", []step{{0, appears, ""}, {1, draws("idle"), "idle"}, {2, draws(""), "unknown"}}},
	{"a pager keeps what is known", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("", pager), "working"}, {90, ticks, "working"}}},
	{"an empty screen is not death", []step{{0, appears, ""}, {1, hook("idle"), "idle"}, {2, draws(""), "idle"}, {7, census(true), "idle"}}},
	{"a look that comes late", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, lateLook, "needs-input"}, {9, ticks, "needs-input"}}},
	{"a dialog closed by any key", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, types(KeyOther), ""}, {2.1, draws("idle"), "idle"}}},
	{"a dialog redrawn", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, draws("idle"), "needs-input"}, {2.1, draws("needs-input/approval"), "needs-input"},
		{3, draws(""), "needs-input"}, {4.5, ticks, "unknown"}}},
	{"the end of a turn within a second", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("idle"), "working"}, {2.7, ticks, "done"}}},
	{"a turn that the agent says is over", []step{
		{0, appears, ""}, {1, draws("working"), "working"}, {2, draws("idle", ended), "done"}}},
	{"an answer below the end of the last turn", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, types(KeyEnter), ""}, {2.1, draws("idle", ended), "working"}, {2.2, draws("idle", ended), "working"},
		{2.3, draws("working"), "working"}, {4, draws("idle", ended), "done"}}},
	{"a new prompt below the end of the last turn", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), ""}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {3.2, draws("idle", ended), "working"}}},

	// Prompts that are sent.
	{"a prompt before the screen shows it", []step{
		{0, appears, ""}, {1, draws("idle"), "idle"}, {2, types(KeyText), "idle"}, {2.1, draws("idle", drafts("fix it")), "idle"},
		{3, types(KeyEnter), "working @manifest:robot"}, {3.2, draws("idle", drafts("fix it")), "working"}, {4, draws("idle"), "working"},
		{5, draws(""), "working"}, {5.5, draws("working"), "working"}, {9, draws("working"), "working"}, {10, draws("idle"), ""}, {11, ticks, "done"}}},
	{"a prompt that the screen never shows", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {3.5, draws("idle"), "working"}, {13.1, ticks, "idle"}}},
	{"a first prompt that an agent is slow to begin with", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {3.5, draws("idle"), "working"},
		{6.1, draws(""), "working"}, {7.5, draws("idle"), "working"}, {8, hook("working"), "working"}, {15, draws("working"), ""}, {16, hook("done"), "done"}}},
	{"a line's end in a draft", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {4.1, draws("idle", drafts("x")), "idle"}}},
	{"a draft that opened a view", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {3.5, draws("", pager), "idle"}}},
	{"a prompt that was stopped", []step{
		{0, appears, ""}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "working"}, {3.5, types(KeyEsc), "working"}, {3.6, draws("idle"), "idle"}}},
	{"an Enter without a draft", []step{
		{0, appears, ""}, {1, draws("idle"), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "idle"}}},
	{"an Enter on what nobody typed", []step{
		{0, appears, ""}, {1, draws("idle", drafts("Ask anything")), "idle"}, {3, types(KeyEnter), "idle"}}},
	{"a prompt and hooks", []step{
		{0, appears, ""}, {1, hook("idle", ttl(60)), "idle"}, {1, draws("idle", drafts("x")), "idle"}, {2, types(KeyText), ""}, {3, types(KeyEnter), "idle"}, {3.1, hook("working"), "working"}}},

	// Guesses.
	{"output that keeps coming", []step{
		{0, appears, ""}, {1, output, "unknown"}, {1.5, output, "unknown"}, {2, output, "working @heuristic:output"}, {11, output, "working"}, {12.1, ticks, "unknown"}}},
	{"the echo of typing", []step{
		{0, appears, ""}, {1, types(KeyText), ""}, {1.1, output, ""}, {1.6, types(KeyText), ""}, {1.7, output, ""}, {2.3, types(KeyText), ""}, {2.4, output, "unknown"}}},
	{"a bell", []step{{0, appears, ""}, {1, rings, "needs-input/unknown @heuristic:bell"}, {11, ticks, "unknown"}}},
	{"a guess beside a word that ran out", []step{{0, appears, ""}, {1, hook("working", ttl(1)), ""}, {5, rings, "working stale"}}},
	{"a bell beside a person", []step{{0, appears, ""}, {1, watches(true), ""}, {2, rings, "unknown"}}},
	{"a bell for a key", []step{{0, appears, ""}, {1, types(KeyText), ""}, {1.1, rings, "unknown"}}},

	// Turns that nobody has looked at.
	{"a turn's end unseen and seen", []step{
		{0, appears, ""}, {1, draws("idle"), "idle"}, {2, draws("working"), ""}, {3, draws("idle"), ""}, {5, ticks, "done"}, {6, seen, "idle"}, {7, draws("idle"), "idle"}}},
	{"a turn's end while watched", []step{{0, appears, ""}, {0, watches(true), ""}, {1, hook("working"), ""}, {2, hook("done"), "idle"}, {3, watches(false), "idle"}}},
	{"done is said again", []step{{0, appears, ""}, {1, hook("done"), "done"}, {2, seen, "idle"}, {3, hook("done"), "idle"}}},
	{"done stays when the claim has run out", []step{{0, appears, ""}, {1, hook("working"), ""}, {2, hook("done", ttl(3)), "done"}, {9, ticks, "done stale"}}},
	{"idle after done is still unseen", []step{{0, appears, ""}, {1, says("working", ""), ""}, {2, says("done", ""), "done"}, {3, says("idle", ""), "done"}}},
	{"a folder to trust at the start", []step{
		{0, appears, ""}, {1, draws("needs-input/approval"), "needs-input"}, {2, types(KeyEnter), ""}, {2.1, draws("idle"), "working"}, {4, ticks, "idle"}}},

	// Life, death and gates.
	{"killed while the report is fresh", []step{{0, appears, ""}, {1, hook("working", ttl(60)), "working"}, {1, says("working", ""), ""}, {2, exits(false), "dead @process"}, {3, hook("working"), "dead"}}},
	{"two misses", []step{{0, appears, ""}, {1, hook("idle"), ""}, {5, census(false), "idle"}, {10, census(true), "idle"}, {15, census(false), "idle"}, {20, census(false), "dead"}}},
	{"finished, then ended", []step{{0, appears, ""}, {1, hook("working"), ""}, {2, hook("done"), "done"}, {3, exits(true), "done"}, {4, seen, "dead"}}},
	{"finished, then killed", []step{{0, appears, ""}, {1, hook("working"), ""}, {2, hook("done"), "done"}, {3, exits(false), "dead"}}},
	{"dead until dismissed", []step{{0, appears, ""}, {1, exits(true), "dead"}, {900, draws("idle"), "dead"}, {900.5, draws("needs-input/approval"), "dead"}, {901, does((*Agent).Dismiss), "unknown"}}},
	{"the living are not dismissed", []step{{0, appears, ""}, {1, hook("idle"), "idle"}, {2, does((*Agent).Dismiss), "idle"}}},
	{"another agent", []step{{0, appears, ""}, {1, hook("working"), "working"}, {1, says("working", ""), ""}, {1, draws("working"), ""}, {2, appear("robot", 2), "unknown"}}},
	{"restarted", []step{{0, appears, ""}, {1, draws("working"), "working"}, {2, does((*Agent).Restarted), "unknown"}, {3, appear("robot", 2), "unknown"}}},
	{"a gate", []step{
		{0, appears, ""}, {1, hook("working"), ""}, {2, gates, "blocked/gate @gate"}, {3, hook("needs-input/question"), "blocked/gate"}, {4, exits(false), "blocked/gate"}, {5, decides, "dead"}}},
}

func signal(name string, state State) does {
	return func(a *Agent, now time.Time) Effects { return a.Signal(name, state, "", now) }
}

// lateKey is a key that was typed before the last screen.
func lateKey(k Key) does {
	return func(a *Agent, now time.Time) Effects { return a.Key(k, a.gen-1, now) }
}

func lateLook(a *Agent, now time.Time) Effects {
	return a.Screen(Verdict{State: Idle, Rule: "old"}, a.looked-1, now)
}

func TestLogs(t *testing.T) {
	t.Parallel()
	for _, l := range logs {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			play(t, l.log)
		})
	}
}
