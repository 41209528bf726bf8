package cli

import (
	"cmp"
	"context"
	"fmt"

	"deck/lifecycle"
	"deck/term/wire"
)

// explainAgent prints how the status of an agent in a pane came about.
func (a *app) explainAgent(ctx context.Context, args []string, asJSON bool) error {
	target, err := a.ownPane(args)
	if err != nil {
		return err
	}
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	x, err := c.ExplainAgent(ctx, wire.Target{Target: target})
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, x)
	}
	g := x.Agent
	head := fmt.Sprintf("%s  %s %d  %s  for %s", g.Nick, cmp.Or(g.Agent, "no agent"), g.Generation, a.signOf(g.State)+because(g.Reason), age(g.AgeMillis))
	if about := aboutWhat(g); about != "" {
		head += "  " + about
	}
	if _, err := fmt.Fprintf(a.stdout, "%s\n%s\n", clean(head), clean(explainWhy(x.Explanation))); err != nil {
		return err
	}
	if len(x.Claims) > 0 {
		if _, err := fmt.Fprintln(a.stdout); err != nil {
			return err
		}
		if err := a.claimTable(x.Claims).print(a.stdout); err != nil {
			return err
		}
	}
	if x.HooksSilent {
		if _, err := fmt.Fprintln(a.stdout, "\nits hooks have said nothing: \"deck hooks status\" tells whether they are installed"); err != nil {
			return err
		}
	}
	for _, s := range x.Sessions {
		if _, err := fmt.Fprintf(a.stdout, "\n%s has come to report %d of session %s\n", clean(s.Source), s.Seq, clean(cmp.Or(s.Session, "-"))); err != nil {
			return err
		}
	}
	return nil
}

// explainWhy is what decided, and what time will change by itself.
func explainWhy(x lifecycle.Explanation) string {
	s := "because: " + x.Why
	if x.Status.Source != "" {
		s += " (" + x.Status.Source + ")"
	}
	if x.Held != nil {
		s += fmt.Sprintf("; rule %s says %s and counts in %d ms", cmp.Or(x.Held.Rule, "-"), x.Held.State, x.Held.In)
	}
	if x.Next > 0 {
		s += "; looked at again in " + seconds(x.Next)
	}
	return s
}

// claimTable has one row per claim, the highest source first. A "*" marks the
// one that won.
func (a *app) claimTable(claims []lifecycle.ClaimView) *table {
	t := &table{head: []string{"WON", "SOURCE", "BY", "STATE", "AGE", "EXPIRES", "RULE", "TEXT", "WHY"}}
	for _, c := range claims {
		won := ""
		if c.Won {
			won = "*"
		}
		by := c.Channel
		if c.Helper != "" {
			by += " about " + c.Helper
		}
		t.add(won, c.Source, by, a.signOf(c.State)+because(c.Reason), seconds(c.Age), expiry(c.Expires), c.Rule,
			cmp.Or(c.Matched, c.Request, c.Detail, c.Tool), c.Why)
	}
	return t
}

// expiry says how much longer a claim counts.
func expiry(millis int64) string {
	switch {
	case millis == 0:
		return "stands"
	case millis < 0:
		return seconds(-millis) + " ago"
	}
	return "in " + seconds(millis)
}

// seconds is a time in milliseconds where tenths of a second matter.
func seconds(millis int64) string {
	if millis >= 60_000 {
		return age(millis)
	}
	return fmt.Sprintf("%d.%ds", millis/1000, millis/100%10)
}
