import assert from 'node:assert/strict'
import type { Decider, DomainEvent, Result } from '../../src/decider/decider.ts'

/** Compares the result of a command with the expected one. Each method throws an AssertionError that shows the difference. */
type Outcome<State, Event, Rejection> = {
  /** Exactly these events, in order. */
  then(events: readonly Event[]): void
  /** The command changed nothing and was not rejected. */
  thenNothing(): void
  thenRejected(rejection: Rejection): void
  /** The state after the command's events. */
  thenState(state: State): void
}

type Specification<State, Command, Event, Rejection> = {
  given(events: readonly Event[]): { when(command: Command): Outcome<State, Event, Rejection> }
}

const asStored = <Event extends DomainEvent>(event: Event): { type: string; data: unknown } => ({
  type: event.type,
  data: JSON.parse(JSON.stringify(event.data)),
})

/** Tests a decider with given, when and then. Events are serialized to JSON and parsed, as in the store. */
export const specification = <State, Command, Event extends DomainEvent, Rejection>(
  decider: Decider<State, Command, Event, Rejection>,
): Specification<State, Command, Event, Rejection> => {
  const stored = (events: readonly Event[]): readonly Event[] => events.map((event) => decider.parse(asStored(event)))
  const fold = (state: State, events: readonly Event[]): State =>
    events.reduce((folded, event) => decider.evolve(folded, event), state)

  const outcome = (before: State, decided: Result<readonly Event[], Rejection>): Outcome<State, Event, Rejection> => {
    const eventsOf = (): readonly Event[] => {
      if (!decided.ok) assert.fail(`The command was rejected: ${JSON.stringify(decided.error, undefined, 2)}`)
      return stored(decided.value)
    }
    return {
      // Named for given, when, then. An outcome is never awaited.
      // oxlint-disable-next-line unicorn/no-thenable
      then: (events) => assert.deepStrictEqual(eventsOf(), stored(events)),
      thenNothing: () => assert.deepStrictEqual(eventsOf(), []),
      thenRejected: (rejection) => {
        if (decided.ok) assert.fail(`The command was accepted: ${JSON.stringify(decided.value, undefined, 2)}`)
        assert.deepStrictEqual(decided.error, rejection)
      },
      thenState: (state) => assert.deepStrictEqual(fold(before, eventsOf()), state),
    }
  }

  return {
    given: (events) => {
      const before = fold(decider.initial, stored(events))
      return { when: (command) => outcome(before, decider.decide(command, before)) }
    },
  }
}
