/** The outcome of a decision or a use case. Rejections are values; infrastructure failures throw. */
export type Result<T, X> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: X }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const rejected = <X>(error: X): Result<never, X> => ({ ok: false, error })

/** An event as the domain sees it: a name in the past tense and JSON data. */
export type DomainEvent = { readonly type: string; readonly data: object }

/**
 * The rules of one category of streams. `decide` and `evolve` are pure: time, ids and randomness are part of the command. `evolve`
 * never throws; an obsolete event leaves the state unchanged.
 */
export type Decider<State, Command, Event extends DomainEvent, Rejection> = {
  /** The stream of id `x` is `category-x`. A category contains no hyphen. */
  readonly category: string
  readonly initial: State
  decide(command: Command, state: State): Result<readonly Event[], Rejection>
  evolve(state: State, event: Event): State
  /** Parses a stored event. Throws on an unknown type or shape. */
  parse(stored: { readonly type: string; readonly data: unknown }): Event
}
