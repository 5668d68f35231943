import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { type SecondFactorCommand, secondFactorDecider, type SecondFactorRejection } from './decider.ts'
import type { SecondFactorEvent } from './events.ts'
import type { SecondFactorState } from './factors.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

type SecondFactorStreamDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/** The second factors of all users. A login reads the log, so no lagging read model can let anyone pass. */
export const createSecondFactorStream = ({ eventStore, vault, clockAndIds }: SecondFactorStreamDeps) => ({
  load: async (userId: UserId): Promise<SecondFactorState> =>
    (await loadState(eventStore, secondFactorDecider, userId)).state,

  /** Returns what was recorded. */
  handle: async (
    command: SecondFactorCommand,
    metadata: EventMetadata,
  ): Promise<Result<readonly SecondFactorEvent[], SecondFactorRejection>> => {
    const options = { eventId: eventIdsOf(clockAndIds.newId()), metadata }
    const handled = await handleCommand(eventStore, secondFactorDecider, command.userId, command, options)
    return handled.ok ? ok(handled.value.events) : handled
  },

  newCodes: (userId: UserId) => {
    const recoveryCodes = newRecoveryCodes()
    return { recoveryCodes, codeHashes: recoveryCodes.map((code) => recoveryCodeHash(vault, userId, code)) }
  },
})
export type SecondFactorStream = ReturnType<typeof createSecondFactorStream>

/** The codes that a command came with, unless earlier ones go on. */
export const issuedCodes = (
  events: readonly SecondFactorEvent[],
  recoveryCodes: readonly string[],
): readonly string[] => (events.some(({ type }) => type === 'RecoveryCodesIssued') ? recoveryCodes : [])

/** Removes the second step on behalf of an operator. A repetition with the same `grantId` changes nothing. */
export const resetSecondFactor = async (
  eventStore: Pick<EventStore, 'read' | 'append'>,
  { userId, by, grantId }: { readonly userId: UserId; readonly by: string; readonly grantId: string },
): Promise<void> => {
  const command = { type: 'RemoveSecondFactor', userId, by } as const
  await handleCommand(eventStore, secondFactorDecider, userId, command, {
    eventId: eventIdsOf('second-factor-reset', grantId),
  })
}
