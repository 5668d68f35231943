import { type Discontinuity, wordsOf } from './discontinuity.ts'

/** The consumer stands still until it is rebuilt. The message is one line and names the command. */
export class DiscontinuityError extends Error {
  override readonly name = 'DiscontinuityError'
  readonly isUserFacing = true
  readonly discontinuity: Discontinuity
  constructor(discontinuity: Discontinuity) {
    super(wordsOf(discontinuity))
    this.discontinuity = discontinuity
  }
}
