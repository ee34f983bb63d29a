package fsm

// Guard is one condition of a row, as Explain found it: the row applies where
// all of its guards hold and no check before it applies. Meant for people; a
// program asks Step.
type Guard struct {
	Row   string // event.row
	Cond  string // in the table's words
	Holds bool
}
