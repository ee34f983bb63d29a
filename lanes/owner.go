package lanes

import (
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/fsm"
	"github.com/interlock-go/interlock/fsm/queue"
)

// Owner is who submits a ticket, and so who may cancel and interrupt it. Space
// around its kind and id doesn't count; without an id its kind is its id.
type Owner struct {
	Kind string `json:"kind"` // OwnerAgent or another of the constants, or one of your own
	ID   string `json:"id"`
}

// Kinds of owners that products have.
const (
	OwnerAgent     = "agent"
	OwnerUserREPL  = "user_repl"
	OwnerRecovery  = "recovery"
	OwnerLifecycle = "lifecycle"
	OwnerSystem    = "system"
)

// key is what o is to the table. The length keeps kind and id apart.
func (o Owner) key() queue.Owner {
	return queue.Owner(strconv.Itoa(len(o.Kind)) + ":" + o.Kind + o.ID)
}

// named returns o as it counts, for a call that sends event.
func (o Owner) named(event string) (Owner, error) {
	kind, err := given(event, "owner kind", o.Kind)
	if err != nil {
		return Owner{}, err
	}
	if o.ID == "" {
		return Owner{kind, kind}, nil
	}
	id, err := given(event, "owner id", o.ID)
	if err != nil {
		return Owner{}, err
	}
	return Owner{kind, id}, nil
}

// given returns value, which is event's argument of that name, without the
// space around it, and refuses it if nothing is left.
func given(event, argument, value string) (string, error) {
	trimmed := strings.TrimSpace(value)
	if trimmed == "" {
		return "", invalid(event, argument, "it is empty")
	}
	if len(trimmed) < len(value) {
		trimmed = strings.Clone(trimmed) // or it would keep all of value in memory
	}
	return trimmed, nil
}

// invalid is the refusal of an argument of a call to the coordinator.
func invalid(event, argument, why string) *Refusal {
	no := refusal("queue", fsm.Info{Name: "shell.argument", Code: string(ErrInvalidArgument)}, "")
	no.Event, no.Argument = event, argument
	no.Message = argument + ": " + why
	return no
}
