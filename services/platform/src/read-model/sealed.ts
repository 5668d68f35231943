/** The read model takes no commits: another generation of it is about to take its place. Passes by itself. */
export class ReadModelSealedError extends Error {
  override readonly name = 'ReadModelSealedError'
  readonly isPassing = true
  readonly isForPeople = true
  constructor() {
    super('The read model is sealed: another generation is about to take its place')
  }
}
