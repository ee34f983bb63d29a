// Package tla runs TLC, the model checker for TLA+, and reads what it says.
//
//	res, err := tla.Run(ctx, tla.Config{
//		Dir:    "tla",
//		Module: "MCLane",
//		Cfg:    "MCLane_dishonest.cfg",
//	})
//	if err != nil {
//		return err // no java, no jar, cancelled: nothing was checked
//	}
//	if res.Verdict.Kind.Violated() {
//		fmt.Println(res.Verdict) // invariant NoOverlap is violated
//		fmt.Print(res.Trace)     // 1: Initial predicate ... 4: ClaimWon
//	}
//
// [Run] needs java on PATH. TLC is the pinned jar [JarCoordinates], fetched with
// Maven once, kept in the user's cache folder and checked by its hash at each
// use; [Available] says what is missing. A run works in a temporary folder of
// its own, so runs don't disturb each other ([RunAll]) and leave nothing behind.
//
// A [Result] is read from TLC's log, in its -tool mode, by message codes:
// [ReadLog] does that for a log from elsewhere. Values are [Value], always in
// canonical form; [ParseValue] and [Parser] read them from text, [ReadDot] reads
// a dumped state graph.
//
// # What the pinned TLC does
//
// Each of these but the last is tested with the real jar.
//
//   - A step's action, in traces, dumps and coverage, is the innermost operator
//     that is reached through disjunctions and quantifiers over constant sets
//     alone. Anything conjoined in between makes it the outer one.
//   - A \/ in a guard takes the step once for each true branch, so dump and
//     counts have it twice. \in, =>, ~(~a /\ ~b) and {..} # {} have it once.
//   - Steps that change nothing are in the dump and in the counts.
//   - A line printed by PrintT(ToString(..)) conjoined to a row is printed once a
//     step: Generated - InitGenerated lines, if the verdict is OK. After an
//     error TLC takes the trace's steps again and prints their lines again.
//     PrintT of a value without ToString wraps long lines.
//   - Exit code 13 is a violated liveness property, but also an action property
//     and a state predicate as PROPERTY; a PROPERTY []P counts as an invariant
//     (12). Hence [Kind] comes from the log.
//   - A conjunct of a property that is a conjunction has no name, only a
//     location; a violated temporal property has neither.
//   - A deadlock ends the run before liveness is looked at.
//   - With several workers it misses violations of liveness in some runs; so
//     [Run] refuses several for a cfg with a PROPERTY.
//
// # Two false greens
//
// Of a property about steps, two obvious forms pass wrong models.
//
// [][~Release => P]_vars says that only a release may break P. But an action is
// a formula, not the name of the row that was taken: a faulty stop whose effect
// is a release's satisfies Release, too, and is excused. Say it of each other
// event: [][\A args : Stop(args) => P]_vars.
//
// [][Claim => P]_vars says that a claim has the effect P. But []_vars excuses
// steps that change nothing, so a claim that is accepted and does nothing passes.
// Say it as an invariant, too: \A args : ~ENABLED (Claim(args) /\ ~P).
package tla
