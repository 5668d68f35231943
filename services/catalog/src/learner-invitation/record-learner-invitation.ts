import {
  learnerInvitationsPartition as partition,
  learnerInvitationsProjectionRef as projection,
} from '@portal/contracts/catalog/events'
import type { LearnerInvitationId } from '@portal/contracts/shared/ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints } from '@portal/platform/read-model/port'
import { type LearnerInvitationCommand, learnerInvitationDecider } from './decider.ts'

type RecordDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
}

export type InvitationRef = { readonly emailIndex: string; readonly invitationId: LearnerInvitationId }

type Recording = {
  /** Of a request that can be made more than once of an invitation. */
  readonly requestId?: string
  readonly metadata: EventMetadata
}

const endingTypes: ReadonlySet<LearnerInvitationCommand['type']> = new Set([
  'WithdrawLearnerInvitation',
  'AcceptLearnerInvitation',
  'ExpireLearnerInvitation',
])

/** Reads and changes the invitations of an address. */
export const createRecordLearnerInvitation = ({ eventStore, vault, readModel }: RecordDeps) => ({
  load: async (emailIndex: string) => (await loadState(eventStore, learnerInvitationDecider, emailIndex)).state,

  /** A repetition changes nothing. The address of an invitation that ends becomes unreadable; the reactor sees to it after a crash. */
  record: async (emailIndex: string, command: LearnerInvitationCommand, { requestId, metadata }: Recording) => {
    const { type, invitationId } = command
    const handled = await handleCommand(eventStore, learnerInvitationDecider, emailIndex, command, {
      eventId: eventIdsOf(type, invitationId, ...(requestId === undefined ? [] : [requestId])),
      metadata,
    })
    if (handled.ok && handled.value.events.length > 0 && endingTypes.has(type)) await vault.erase(invitationId)
    return handled
  },

  /** Until the list shows what was recorded at these positions. */
  untilListed: async (positions: readonly (Position | undefined)[]): Promise<void> => {
    const last = positions
      .filter((position) => position !== undefined)
      .toSorted()
      .at(-1)
    if (last !== undefined) await waitForProjection(readModel, { projection, partition, eventPosition: last })
  },
})
export type RecordLearnerInvitation = ReturnType<typeof createRecordLearnerInvitation>
