// Package detect reads what an agent's terminal shows: its screen by rules, its
// window title and progress bar by the same rules, and the status it reports
// in-band (OSC 7501). It exists so that what differs from agent to agent and
// from version to version is data, in one file per agent, that a person can
// override and a saved screen can test.
//
// The rules see rows of text and never bytes. They match structure, the frame
// of a dialog, the marker of a menu, the glyph at the start of a title, before
// they match words, and they look where an agent draws its own controls, so
// that an answer which quotes a dialog is not one.
//
// # Rule files
//
// A file is TOML:
//
//	version = 1
//	prompt  = ["❯", ">"]         # what a person's input line begins with
//	frame   = ["rules", "box"]   # how it is framed, tried in this order
//	empty   = ["Ask anything"]   # what it shows where nothing is typed and that is not faint
//	generic = true               # ask the rules for any agent when none here matches
//
//	[[rule]]
//	id       = "shell-command"
//	state    = "needs-input"     # working, needs-input, idle, blocked, done
//	reason   = "approval"        # of needs-input and blocked
//	priority = 800               # the highest wins; of equals the lowest on the screen
//	region   = "dialog"
//	all      = [{ regex = '^Bash command' }]
//	any      = [{ text = "Esc to cancel" }, { region = "title", regex = '^✳' }]
//	not      = [{ region = "prompt" }]
//	tool     = '^(\w+) command'  # the first group, or the whole match
//	request  = '^\$ (.+)'
//	ended    = [{ region = "status", regex = ' for \d+s$' }]  # of idle: any of these ends a turn at once
//	hold     = false             # true: this screen says nothing, keep what is known
//
// The frames: rules, a marker between two horizontal rules; bare, the same
// without a marker; box, a marker in a box; bar, rows with a bar at the left and
// a rule at their foot; plain, a marker at the edge with nothing around it; line,
// the same on the row of the cursor.
//
// A condition has text (contained in a row) or regex (RE2, one row at a time),
// both or neither; with fold = true case does not matter. Without either it
// holds where its region is there. below_not is a regex that no row of the
// screen below the matching one may match. A condition may hold all, any and
// not of its own. A region that a condition does not name is its parent's.
//
// The regions: screen; bottom:N, the last N rows; filled:N, the last N that are
// not blank; prompt, the text of the input line; above:N, the last N rows above
// it that are not blank; below, the rows beneath it; status, the last row above it that is no
// detail of another; after-rule, what is below the last horizontal rule;
// dialog, a menu that waits for keys with what belongs to it; question, the row
// that introduces the menu; options, the menu; hint, the rows below it that
// name keys; cursor, the row of the cursor; shell, there while a shell's prompt
// is shown (OSC 133); title; progress, "STATE PERCENT" of OSC 9;4.
//
// # Limits
//
// A file has at most 64 KiB, 64 rules, 32 conditions in a rule and 512 in all,
// 4 levels of nesting, 256 bytes in a text or pattern, 600 instructions in a
// compiled pattern and 10 000 in all. Rows are matched up to 1024 bytes. A file
// that breaks a limit or has any other fault is refused whole.
package detect
