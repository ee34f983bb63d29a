package diff

// Unreadable is the report on tables of which one or both can't be read.
func Unreadable(old, new string, failed []Failed) *Report {
	return &Report{Old: old, New: new, Verdict: Unknown, Reasons: []string{"a table can't be read"}, Failed: failed}
}

// wholeTable is the kind of an item that is a machine's table, not one of its
// sub-tables.
const wholeTable = "machine"

// Alone is the report on a table that is on one side only.
func Alone(old, new string, added bool) *Report {
	if added {
		return &Report{Old: old, New: new, Verdict: Harmless, Added: []Item{{Kind: wholeTable, Name: new}}}
	}
	return &Report{Old: old, New: new, Verdict: Breaking, Reasons: []string{"the table is gone"}, Removed: []Item{{Kind: wholeTable, Name: old}}}
}

// severity orders verdicts: what breaks outweighs what can't be told.
var severity = map[Verdict]int{Same: 0, Harmless: 1, Unknown: 2, Breaking: 3}

// Worse returns the verdict that weighs more. A table of which something can't be
// told doesn't hide that another one breaks.
func Worse(a, b Verdict) Verdict {
	if severity[b] > severity[a] {
		return b
	}
	return a
}
