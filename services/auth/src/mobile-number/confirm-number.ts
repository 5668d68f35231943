import type { UserId } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { registrationDecider } from '../registration/decider.ts'
import { mobileNumberDecider } from './decider.ts'

type ConfirmNumberDeps = { readonly eventStore: EventStore; readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'> }

/** A registration may take this long from confirming its number to having an account. */
const inFlightMs = 60_000

/** Returns whether the number may confirm this user. A number that confirmed an account confirms no other. */
export const createConfirmNumber =
  ({ eventStore, clockAndIds }: ConfirmNumberDeps) =>
  async (
    mobileIndex: string,
    { userId, emailIndex }: { readonly userId: UserId; readonly emailIndex: string },
    metadata: EventMetadata,
  ): Promise<boolean> => {
    const now = clockAndIds.now()
    const abandonedBy = async (): Promise<UserId | undefined> => {
      const { confirmed } = (await loadState(eventStore, mobileNumberDecider, mobileIndex)).state
      if (!confirmed || now.getTime() - Date.parse(confirmed.at) < inFlightMs) return undefined
      const { state } = await loadState(eventStore, registrationDecider, confirmed.emailIndex)
      const hasAccount = state.status === 'completed' && state.details.userId === confirmed.userId
      return hasAccount ? undefined : confirmed.userId
    }
    const command = { type: 'ConfirmNumber', userId, emailIndex, now, abandonedBy: await abandonedBy() } as const
    const handled = await handleCommand(eventStore, mobileNumberDecider, mobileIndex, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })
    return handled.ok
  }
export type ConfirmNumber = ReturnType<typeof createConfirmNumber>
