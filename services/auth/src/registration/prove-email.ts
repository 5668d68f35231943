import type { UserId } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { Logger } from 'pino'
import { userDecider } from '../user/decider.ts'
import type { ReplacePassword } from '../user/replace-password.ts'
import { registrationDecider } from './decider.ts'

type ProveEmailDeps = { readonly eventStore: EventStore; readonly logger: Pick<Logger, 'warn'> }

/**
 * Records that the user has proved their e-mail address, so that no other caller can take it back. If recording fails,
 * the address stays unproved.
 */
const createProveEmail =
  ({ eventStore, logger }: ProveEmailDeps) =>
  async (userId: UserId, metadata: EventMetadata): Promise<void> => {
    try {
      const { state } = await loadState(eventStore, userDecider, userId)
      if (state.status !== 'active') return
      await handleCommand(
        eventStore,
        registrationDecider,
        state.emailIndex,
        { type: 'ProveEmail', userId },
        { eventId: eventIdsOf('email-proved', userId), metadata },
      )
    } catch (err) {
      logger.warn({ err }, 'failed to record proved email address')
    }
  }

/** Wraps a password change by a mailed link: using the link proves the address. */
export const provingEmail = (deps: ProveEmailDeps, replacePassword: ReplacePassword): ReplacePassword => {
  const proveEmail = createProveEmail(deps)
  return async (change, metadata) => {
    const replaced = await replacePassword(change, metadata)
    if (replaced.ok) await proveEmail(change.userId, metadata)
    return replaced
  }
}
