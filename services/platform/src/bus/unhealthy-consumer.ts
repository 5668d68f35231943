import { isUserFacing } from '../errors/error-kinds.ts'
import { unreadableEventIn } from './unreadable-event.ts'

/** An operator gets the reason where it is meant for one. Health lists unreadable events separately. */
export class UnhealthyConsumerError extends Error {
  override readonly name = 'UnhealthyConsumerError'
  readonly isUserFacing: boolean
  constructor(group: string, problem: string, cause: unknown) {
    const reason = isUserFacing(cause) && unreadableEventIn(cause) === undefined ? cause.message : undefined
    super(`Consumer ${group} is ${problem}${reason === undefined ? '' : `: ${reason}`}`, { cause })
    this.isUserFacing = reason !== undefined
  }
}
