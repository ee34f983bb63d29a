package diag

// Code names a kind of complaint. Codes are stable between releases.
type Code string

// The letters group them: S syntax, N names, T types and expressions, D
// decisions, M models and properties.
const (
	Syntax       Code = "S001" // not the YAML subset that tables use
	UnknownKey   Code = "S002"
	DuplicateKey Code = "S003"
	WrongShape   Code = "S004" // a mapping where a list is wanted, and the like
	MissingKey   Code = "S005"
	BadSignature Code = "S006" // of an event or effect
	BadType      Code = "S007"
	BadName      Code = "S008"

	UnknownName   Code = "N001"
	DuplicateName Code = "N002"
	ReservedName  Code = "N003"
	UnusedName    Code = "N004"
	NameClash     Code = "N005" // two names are one after translation

	BadExpression  Code = "T001" // CEL's parser or checker refuses it
	TypeMismatch   Code = "T002"
	NotAllowedHere Code = "T003" // a name that this place may not read
	Untyped        Code = "T004" // dyn: a value whose type isn't known
	Unsupported    Code = "T005" // CEL that the language leaves out
	Undefined      Code = "T006" // value() of none: not protected

	Gap          Code = "D001"
	Overlap      Code = "D002"
	DeadRow      Code = "D003"
	BadOutcome   Code = "D004" // none or several
	DuplicateRow Code = "D005"
	NoInitial    Code = "D006"
	TooLarge     Code = "D007" // a cell has too many values to be decided
	BadMove      Code = "D008" // no move, or several, for what a row does to a part
	TwoUpdates   Code = "D009" // one place may be set in two ways
	StaleRead    Code = "D010" // a sub-row reads what its row has just set

	BadModel       Code = "M001"
	UnknownGoal    Code = "M002"
	NeverChecked   Code = "M003" // a property that is no size's job
	BadBase        Code = "M004"
	UnusedAssuming Code = "M005" // an assumption no property needs
)
