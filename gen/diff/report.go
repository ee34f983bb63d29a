package diff

// Verdict says what a change means for those who use the machine.
type Verdict string

const (
	Same     Verdict = "same"     // nothing changed but layout and comments
	Harmless Verdict = "harmless" // every command is answered as before
	Breaking Verdict = "breaking" // some command is answered otherwise, or a property fails
	Unknown  Verdict = "unknown"  // it can't be told
)

// Report is what changed from one table to another. Slices are in the order of
// the new table, what is gone in that of the old one. The same two tables give
// the same report.
type Report struct {
	Old     string   `json:"old"` // as it was asked for
	New     string   `json:"new"`
	Machine string   `json:"machine"` // the new name
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"` // why it is breaking or unknown
	Failed  []Failed `json:"failed,omitempty"`  // tables that can't be read: nothing else is told then

	Cells     int        `json:"cells"` // of the new table
	Decisions []Decision `json:"decisions,omitempty"`
	Unseen    []Unseen   `json:"unseen,omitempty"` // differs on paper, and no walk shows it

	Renamed []Rename `json:"renamed,omitempty"`
	Added   []Item   `json:"added,omitempty"`
	Removed []Item   `json:"removed,omitempty"`
	Gained  []Edge   `json:"edgesGained,omitempty"`
	Lost    []Edge   `json:"edgesLost,omitempty"`
	Orders  []Order  `json:"checkOrders,omitempty"`

	Rows        []Change   `json:"rows,omitempty"`        // what is written otherwise in a check or row
	Declared    []Change   `json:"declared,omitempty"`    // variables, types, arguments, effects, moves
	Environment []Change   `json:"environment,omitempty"` // the world of the model
	Bounds      []Change   `json:"bounds,omitempty"`      // sizes of models, and what is their job
	Properties  []Property `json:"properties,omitempty"`  // another verdict, another text
	Holding     int        `json:"holding"`               // other properties that hold before and after
	Unasked     int        `json:"unasked"`               // properties about which nothing changed
	Unanswered  []string   `json:"unanswered,omitempty"`  // codes that no row answers any more

	Wording []string `json:"wording,omitempty"` // where only words for people changed
	Order   []string `json:"order,omitempty"`   // what only changed places

	Explored []Walk `json:"explored,omitempty"`
	Graph    string `json:"graph,omitempty"` // what is known of the graphs as a whole

	kept []Edge // on both sides
}

// Failed is a table that can't be read.
type Failed struct {
	Table       string   `json:"table"`
	Diagnostics []string `json:"diagnostics"`
}

// Decision is a cell in which two rows decide otherwise than before.
type Decision struct {
	Event  string     `json:"event"`
	State  string     `json:"state"`
	Part   string     `json:"part,omitempty"` // the subject's state
	When   []string   `json:"when,omitempty"` // conditions of both rows; those that must not hold begin with "unless"
	Before Answer     `json:"before"`
	After  Answer     `json:"after"`
	What   difference `json:"differs"`
	Way    []Step     `json:"way"` // shortest, to where it shows; the last step is the call itself, by the new table
	In     string     `json:"in"`  // the model that has it
	// Follows says whose way it is: of both machines alike, if empty, or of the
	// old or the new one alone, past a call that the other answers otherwise or
	// doesn't know.
	Follows after `json:"follows,omitempty"`
}

// Answer is what a row does.
type Answer struct {
	Row     string   `json:"row"`
	Outcome string   `json:"outcome"`
	Code    string   `json:"code,omitempty"`
	To      string   `json:"to,omitempty"` // the state after it
	Claim   string   `json:"claim,omitempty"`
	Does    []string `json:"does,omitempty"` // what else is seen to differ
	When    []string `json:"when,omitempty"` // on paper: its conditions, as Decision.When
}

// Step is one step of a way.
type Step struct {
	Event  string `json:"event"` // with its arguments
	Row    string `json:"row"`
	Values string `json:"values,omitempty"` // the choices among its arguments, in short
}

// Unseen is a cell whose decisions are written otherwise, without a command
// that shows it.
type Unseen struct {
	Event   string   `json:"event"`
	State   string   `json:"state"`
	Part    string   `json:"part,omitempty"`
	Before  []string `json:"before,omitempty"` // rows that the other side doesn't have alike
	After   []string `json:"after,omitempty"`
	Was     []Answer `json:"was,omitempty"` // what these do, as written
	Is      []Answer `json:"is,omitempty"`
	Reached bool     `json:"reached"` // the walks came there, and both answered alike
	Never   bool     `json:"never"`   // a row claims that this doesn't occur
	Aside   bool     `json:"aside"`   // met in states alone that the other table can't be in
	NoModel bool     `json:"noModel"` // neither table has a model
}

// Rename is a thing that is the same under another name.
type Rename struct {
	Kind string `json:"kind"`
	Old  string `json:"old"`
	New  string `json:"new"`
	Uses int    `json:"uses"` // checks and rows that name it
}

// Item is a thing that is only on one side.
type Item struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	Says string `json:"says,omitempty"`
}

// Edge is a way from one control state to another, or from one state of a
// part to another.
type Edge struct {
	Of    string `json:"of,omitempty"` // the part
	From  string `json:"from"`
	To    string `json:"to"`
	Event string `json:"event"` // or the move
}

// Order is an event whose checks are tried in another order.
type Order struct {
	Event  string   `json:"event"`
	Before []string `json:"before"`
	After  []string `json:"after"`
	Moved  []string `json:"moved"`
}

// Change is something that is said otherwise of one thing.
type Change struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	What   string   `json:"what"`
	Before []string `json:"before,omitempty"`
	After  []string `json:"after,omitempty"`
}

// Property is a property with another verdict, text or name.
type Property struct {
	Name     string   `json:"name"`
	Doc      string   `json:"doc,omitempty"`
	Before   string   `json:"before"` // holds, fails, not told, or empty: it wasn't there
	After    string   `json:"after"`
	Model    string   `json:"model,omitempty"`   // in which it fails
	Way      []Step   `json:"way,omitempty"`     // shortest, to where it fails
	Endless  bool     `json:"endless,omitempty"` // after the way Loop is gone through again and again, or nothing changes any more
	Loop     []Step   `json:"loop,omitempty"`
	Why      string   `json:"why,omitempty"`  // the part of it that fails there
	Text     string   `json:"text,omitempty"` // the counterexample in the table's words, with the states
	Restated bool     `json:"restated"`       // it says something else than before
	Said     []string `json:"said,omitempty"` // before and after, if restated
}

// Walk is a pair of models that was walked in lockstep.
type Walk struct {
	Model    string `json:"model"`
	Anything bool   `json:"anything"` // without the world: callers say anything at all
	Pairs    int    `json:"pairs"`
	Complete bool   `json:"complete"`
}
