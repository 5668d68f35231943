import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { ProfileCache } from '../user/profile.ts'
import { type InvitationCommand, invitationDecider } from './decider.ts'
import { readInvitations } from './projection.ts'

type EndInvitationDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly vault: Pick<PersonalDataVault, 'erase'>
  readonly clockAndIds: Pick<ClockAndIds, 'now'>
  readonly profiles: Pick<ProfileCache, 'drop'>
}

type LapseReason = Extract<InvitationCommand, { type: 'LapseInvitation' }>['reason']
type InvitationRef = { readonly emailIndex: string; readonly userId: UserId }

/** How invitations end without an account of their own. Each step is safe to repeat. */
export const createEndInvitation = ({ eventStore, vault, clockAndIds, profiles }: EndInvitationDeps) => {
  /** Makes name and address unreadable. No account has this id, and none will. */
  const destroyData = async (userId: UserId): Promise<void> => {
    await vault.erase(userId)
    profiles.drop(userId)
  }

  const lapse = async ({ emailIndex, userId }: InvitationRef, reason: LapseReason, metadata: EventMetadata = {}) => {
    const command = { type: 'LapseInvitation', userId, reason, now: clockAndIds.now() } as const
    const handled = await handleCommand(eventStore, invitationDecider, emailIndex, command, {
      eventId: eventIdsOf('invitation-lapsed', userId),
      metadata,
    })
    if (handled.ok && handled.value.events.length > 0) await destroyData(userId)
  }

  return {
    destroyData,
    lapse,

    /** After the address got an account: the invitation ends unless it led to this account. */
    lapseIfTaken: async (registered: InvitationRef, metadata: EventMetadata): Promise<void> => {
      const { emailIndex } = registered
      const { state } = await loadState(eventStore, invitationDecider, emailIndex)
      if (state.status !== 'open' || state.userId === registered.userId) return
      await lapse({ emailIndex, userId: state.userId }, 'address-taken', metadata)
    },

    /** Ends those that expired long ago; the decider knows which. */
    lapseExpired: async (invitations: Pick<ReadStore, 'range'>): Promise<void> => {
      const now = clockAndIds.now().getTime()
      for (const invitation of await readInvitations(invitations))
        if (Date.parse(invitation.expiresAt) <= now) await lapse(invitation, 'expired')
    },
  }
}
export type EndInvitation = ReturnType<typeof createEndInvitation>
