package lanes_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/interlock-go/interlock/lanes"
)

// rulesElsewhere are the rules and cases of the queue that hold on any store. Not
// among them: a close of all sessions is one step in memory alone (rule 13), the
// serial numbers that TestQueueRule16JSON shows are memory's, and a store may keep
// what case 41 has gone.
var rulesElsewhere = []func(*testing.T){
	TestQueueCase31TheHeadLeaves,
	TestQueueCase32AnEndedContextIsRefusedThoughThePlaceIsFree,
	TestQueueCase33NoWakeUpIsLost,
	TestQueueCase34WaitersOutliveAPanic,
	TestQueueCase35ThePlaceIsTakenUntilTheEnd,
	TestQueueCase36TheNewcomerIsRefused,
	TestQueueCase37ACancelDoesNotWait,
	TestQueueCase38SessionsDontWaitForEachOther,
	TestQueueCase39ALateInterruptSparesTheNext,
	TestQueueCase40TheGapCanBeReadAgain,
	TestQueueRule11CloseSession,
	TestQueueRule11AllWaitersAreWoken,
	TestQueueRule11TheFirstReasonStays,
	TestQueueRule12CleanUp,
	TestQueueRule13CloseTheCoordinator,
	TestQueueRule14Snapshots,
	TestQueueRule14OnePictureOfAllSessions,
	TestQueueRule10RunReturns,
	TestQueueRule10RunFreesThePlaceWhateverHappens,
	TestQueueRule10AnErrorWithoutAText,
	TestQueueRule10RunIsToldOfItsForcedEnd,
	TestQueueRule10RunInterruptedBeforeItsFunction,
	TestQueueRule10RunThatNeverRan,
	TestQueueRule15EventsOfEachCall,
	TestQueueRule15NumbersAndTimes,
	TestQueueRule15TheOrderIsThatOfTheSteps,
	TestQueueRule15ASinkHarmsNobody,
	TestQueueRule15GapsAreToldAndCounted,
	TestQueueRule15Replay,
	TestQueueRule15SubscriptionsEnd,
	TestQueueRule16JSONOfEndings,
	TestQueueRule00AnEndedContextComesFirst,
	TestQueueRule01TheOrderOfChecks,
	TestQueueRule01ARefusalLeavesNothing,
	TestQueueRule02TheCapCountsThoseThatWait,
	TestQueueRule03OneRunsAndTheHeadFollows,
	TestQueueRule03AClosedSessionAdmitsNobody,
	TestQueueRule05OnlyTheActiveTicketEnds,
	TestQueueRule06CancellationWins,
	TestQueueRule07CancelQueued,
	TestQueueRule08Interrupt,
	TestQueueRule09TheSignal,
	TestQueueRule17ClockAndIDsRunOutsideOfLocks,
	TestQueueRule17TakenIDs,
	TestQueueRule18RememberedIDs,
	TestQueueRule18IdleSessionsAreForgotten,
	TestQueueRule18ManyIdleSessions,
	TestQueueRule18NothingIsForgottenAfterTheEnd,
	TestQueueRule18NothingIsForgottenByItself,
	TestQueueRule19ForceEnd,
	TestQueueRule20ANamesakeIsSpared,
	TestQueueRule04Waits,
	TestQueueRule04WhoLeavesCancels,
	TestQueueRule04NobodyNeedsToWait,
	TestQueueRule04LeaveOrAdmission,
	TestQueueRule04EndedBeforeTheWaiterLooked,
	TestQueueRule04WaitEnd,
}

// TestQueueElsewhere tests the rules on stores whose records are loaded and
// swapped.
func TestQueueElsewhere(t *testing.T) {
	defer func() { elsewhere = nil }()
	onStores(t, func(t *testing.T, hide func(lanes.Store) lanes.Store) {
		if _, memory := hide(lanes.NewMemory(epoch)).(*lanes.Memory); memory {
			return
		}
		for _, test := range rulesElsewhere {
			elsewhere = hide
			name := runtime.FuncForPC(reflect.ValueOf(test).Pointer()).Name()
			t.Run(name[strings.LastIndex(name, ".")+1:], test)
			elsewhere = nil
		}
	})
}
