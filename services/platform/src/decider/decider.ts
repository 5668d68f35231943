/** The outcome of a decision or a use case: rejections are values, infrastructure failures throw. */
export type Result<T, X> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: X }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const rejected = <X>(error: X): Result<never, X> => ({ ok: false, error })

/** An event as the domain sees it: a name in the past tense and JSON data. */
export type DomainEvent = { readonly type: string; readonly data: object }

/**
 * The rules of one kind of stream. `decide` and `evolve` are pure: time, ids and randomness come with the command.
 * `evolve` is total: it never throws, and an event that no longer matters leaves the state as it is.
 */
export type Decider<State, Command, Event extends DomainEvent, Rejection> = {
  /** Stream prefix: the stream of id `x` is `category-x`. Contains no hyphen. */
  readonly category: string
  readonly initial: State
  decide(command: Command, state: State): Result<readonly Event[], Rejection>
  evolve(state: State, event: Event): State
  /** Reads a stored event; throws on a type or a shape it does not know, so that a bad log fails loudly. */
  parse(stored: { readonly type: string; readonly data: unknown }): Event
}
