package diag

// Code names a kind of complaint. Codes are stable between releases.
type Code string

// The letters group them: S syntax, N names, T types and expressions, D
// decisions, M models, P what a search finds.
const (
	Syntax       Code = "S001"
	UnknownKey   Code = "S002"
	DuplicateKey Code = "S003"
	WrongShape   Code = "S004"
	MissingKey   Code = "S005"
	BadSignature Code = "S006"
	BadType      Code = "S007"
	BadName      Code = "S008"
	Unreadable   Code = "S009"

	UnknownName   Code = "N001"
	DuplicateName Code = "N002"
	ReservedName  Code = "N003"
	UnusedName    Code = "N004"
	NameClash     Code = "N005"

	BadExpression  Code = "T001"
	TypeMismatch   Code = "T002"
	NotAllowedHere Code = "T003"
	Untyped        Code = "T004"
	Unsupported    Code = "T005"
	Undefined      Code = "T006"

	Gap          Code = "D001"
	Overlap      Code = "D002"
	DeadRow      Code = "D003"
	BadOutcome   Code = "D004"
	DuplicateRow Code = "D005"
	NoInitial    Code = "D006"
	TooLarge     Code = "D007"
	BadMove      Code = "D008"
	TwoUpdates   Code = "D009"
	StaleRead    Code = "D010"
	Shadowed     Code = "D011"

	BadModel       Code = "M001"
	UnknownGoal    Code = "M002"
	NeverChecked   Code = "M003"
	BadBase        Code = "M004"
	UnusedAssuming Code = "M005"
	NeverFires     Code = "M006"
	NeverEntered   Code = "M007"
	ModelTooLarge  Code = "M008"
	NeverChanges   Code = "M009"

	Violated       Code = "P001"
	NotReached     Code = "P002"
	NeverOccurs    Code = "P003"
	NeedlessAssume Code = "P004"
	NotRejected    Code = "P005"
	CantTell       Code = "P006"
	Vacuous        Code = "P007"
	TrueByType     Code = "P008"
	OwnFairness    Code = "P009"
	RunOut         Code = "P010"
	NotOneUp       Code = "P011"
)

// Severity says what a complaint means for the table.
type Severity uint8

const (
	Error   Severity = iota + 1 // this isn't a machine: nothing else can be told of it
	Finding                     // it is a machine, and doesn't do what the table claims
	Warning                     // it is a machine, and something in its table is of no use
)

var severities = [...]string{Error: "error", Finding: "finding", Warning: "warning"}

// String returns the severity in one word.
func (s Severity) String() string { return severities[s] }

// Info says what a code stands for.
type Info struct {
	Code     Code
	Severity Severity
	Means    string // what is wrong, for any table
	Repair   string // how to mend it, where a complaint has no better hint
}

// Codes are all of them, in the order of their letters.
var Codes = []Info{
	{Syntax, Error, "the file isn't the part of YAML that tables are written in", "write plain YAML: mappings, lists and values; quote a value that has a comma, a colon, !, [ or { in it"},
	{UnknownKey, Error, "a key that the language doesn't know at this place", "take the key out, or spell it as the documentation does"},
	{DuplicateKey, Error, "a mapping has one key twice", "keep one of them"},
	{WrongShape, Error, "a mapping where a list is wanted, and the like", "see go doc github.com/interlock-go/interlock/spec for what is wanted here"},
	{MissingKey, Error, "something that the language can't do without is missing", "add the key"},
	{BadSignature, Error, "what is written like a call of an event or effect can't be read", "write it like claim(lease fresh Lease, outcome Outcome), with a name and a type for each argument"},
	{BadType, Error, "a type that doesn't exist, or not at this place", "bool, a range such as 0..3, a declared type, optional(T), set(T) or list(T) max 8"},
	{BadName, Error, "a name that can't be one in generated files", "a name has letters, digits and underscores, a letter first and no underscore last or twice"},
	{Unreadable, Error, "the file can't be read", "name a table that is there, such as spec/lane.yaml, and may be read"},

	{UnknownName, Error, "a name that nothing declares", "declare it, or use a name that is declared"},
	{DuplicateName, Error, "two things at one place have one name", "give one of them another name"},
	{ReservedName, Error, "a name that Go, TLA+, Mermaid, CEL, looplab/fsm or generated code keeps for itself", "give it another name"},
	{UnusedName, Warning, "a name that is declared, and of no use", "use it, or take it out"},
	{NameClash, Error, "two names that differ in the table and are one in a generated file", "give one of them another name"},

	{BadExpression, Error, "an expression that CEL's parser or checker refuses", "see go doc github.com/interlock-go/interlock/spec for the operations"},
	{TypeMismatch, Error, "a value of another type than its place wants", "compare and assign values of one type only"},
	{NotAllowedHere, Error, "a name that exists, and that this place may not read", "rows read the machine alone; ghosts are for the world and for properties, new.x for properties of steps"},
	{Untyped, Error, "a value whose type can't be told from its place", "compare it with a variable, or assign it to one"},
	{Unsupported, Error, "something that the language, or an output, leaves out", "say it by other means, such as a variable or a row of its own"},
	{Undefined, Error, "a partial operation where nothing makes sure that it has a value", "ask for it before, in a condition to its left or in an earlier one"},

	{Gap, Error, "no check or row decides an event for some values", "add a row for it: a move, stay, refuse, ignore, or never with the reason"},
	{Overlap, Error, "two rows both apply for some values", "rows have no order: let one exclude the other"},
	{DeadRow, Error, "a row, a check or a part's state that no values lead to", "take it out, or mend the conditions that keep it from being used"},
	{BadOutcome, Error, "a row with no outcome or several, or with one that its use doesn't fit", "exactly one of: to, set, fire or emit (a move), stay, refuse, ignore or never"},
	{DuplicateRow, Error, "two rows of one event say the same", "keep one of them"},
	{NoInitial, Error, "there isn't exactly one state to start in", "give one state initial: true"},
	{TooLarge, Error, "an event reads more values than can be tried", "smaller ranges, or fewer variables in its conditions"},
	{BadMove, Error, "a part's state would change along no move, or along several", "name the one move: fire: {move: part}, or {move: {on: part, to: state}}"},
	{TwoUpdates, Error, "one step may set one place in two ways", "set it once"},
	{StaleRead, Error, "a row of a sub-table reads what the row before it has just set", "decide it in the first row: the sub-table sees the state before the step"},
	{Shadowed, Warning, "a condition that always holds where it is asked", "take it out, or say what it was meant to exclude"},

	{BadModel, Error, "a model's sizes don't fit the table", "give each identity, serial and constant one size, within its range"},
	{UnknownGoal, Error, "a model checks a property that isn't there", "name a property of this table"},
	{NeverChecked, Error, "a property that no model checks", "add it to the checks of a model"},
	{BadBase, Error, "the table that a design changes can't be used", "base: is the name of a table beside this one or in the folder above, without .yaml"},
	{UnusedAssuming, Warning, "an assumption that no property is given", "name it in the given: of a property that fails without it, or take it out"},
	{NeverFires, Warning, "a check or row that decides nothing in any model", "take it out, let something lead to it, or add a model in which it is used"},
	{NeverEntered, Warning, "a state that is never entered in any model", "take it out, let a row lead to it, or add a model in which it is entered"},
	{ModelTooLarge, Error, "a model that can't be explored", "smaller sizes or ranges"},
	{NeverChanges, Warning, "a variable that has one value only, in every state of every model", "take it out or make it a constant (params:), let a row set it, or add a model in which it changes"},

	{Violated, Finding, "a property that doesn't hold", "follow the steps: mend the row that takes the last one, or the property"},
	{NotReached, Finding, "a goal that nothing reaches", "add the row that leads there, a larger model, or mend the goal"},
	{NeverOccurs, Finding, "a row that is never to occur, and does", "give the row an outcome, or mend what leads to it"},
	{NeedlessAssume, Finding, "a property that holds without the assumption that it is given", "take the assumption out of given:, or let the world do what it excludes"},
	{NotRejected, Finding, "a rejected design that doesn't break the property which it names", "mend the design, or the property: it doesn't see the fault"},
	{CantTell, Finding, "a step or a property that has no meaning in some state", "protect the operation, or mend what leads to the state"},
	{Vacuous, Finding, "a property that says nothing in any model whose job it is", "add a model in which it bites, or take out what is never true"},
	{TrueByType, Finding, "a property that the types of its variables make true by themselves", "say what the machine, and not the type, makes true; or take it out"},
	{OwnFairness, Finding, "a claim about behaviours without end that only repeats its fairness", "ask for the fairness of the smaller steps that lead there, or take the claim out; what a timer of the shell brings is by: timer"},
	{RunOut, Finding, "a claim about behaviours without end that holds since fresh values run out", "a larger size of what runs out, in a model whose job the claim is"},
	{NotOneUp, Finding, "a claim that holds at a model's size, and not one size up", "mend it as if the model were that large; where sizes hang together, say the next ones by up:"},
}

// Info returns what is known of a code; the zero Info for one that isn't.
func (c Code) Info() Info {
	for _, i := range Codes {
		if i.Code == c {
			return i
		}
	}
	return Info{}
}
