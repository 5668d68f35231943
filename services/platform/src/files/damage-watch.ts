export type DamageWatch<Damaged extends Error> = {
  /** Remembers damage. Returns the first error of it. */
  found(cause: unknown): Damaged
  /** Returns the error to throw instead of this one, and remembers damage. */
  note(error: unknown): unknown
  /** Runs the work, and notes its error. */
  notice<T>(work: () => T): T
  /** Throws once damage was found. */
  check(): void
}

/** Remembers damage of a file, because a file does not repair itself. */
export const watchForDamage = <Damaged extends Error>(
  isDamage: (error: unknown) => boolean,
  errorOf: (cause: unknown) => Damaged,
): DamageWatch<Damaged> => {
  let damaged: Damaged | undefined
  const found = (cause: unknown): Damaged => (damaged ??= errorOf(cause))
  const note = (error: unknown): unknown => (isDamage(error) ? found(error) : error)
  return {
    found,
    note,
    notice: (work) => {
      try {
        return work()
      } catch (error) {
        throw note(error)
      }
    },
    check: () => {
      if (damaged !== undefined) throw damaged
    },
  }
}
