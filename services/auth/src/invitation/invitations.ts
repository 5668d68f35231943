import {
  alreadyInvited,
  hasAccount,
  type Invitation,
  invitationLimits,
  invitationNotFound,
  invitationNotSent,
  type InvitedRole,
  noAdminInvitationLeft,
  type SentInvitation,
  tooManyOpenInvitations,
} from '@portal/contracts/auth/invitations'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { handleCommand, loadState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore, Position } from '@portal/platform/event-store/port'
import type { ApiError } from '@portal/platform/http/handler'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { AdminRoster } from '../admin-roster/admin-roster.ts'
import { invitationLinkOf } from '../password-reset/reset-link.ts'
import { newResetToken, resetTokenHash } from '../password-reset/reset-token.ts'
import type { LinkSender } from '../password-reset/send-link.ts'
import { registrationDecider } from '../registration/decider.ts'
import type { FindUser } from '../user/directory.ts'
import type { Profile, ProfileCache } from '../user/profile.ts'
import type { AcceptInvitation } from './accept-invitation.ts'
import { type InvitationCommand, invitationDecider, isPending, type OpenInvitation } from './decider.ts'
import type { EndInvitation } from './end-invitation.ts'
import { invitationMailOf } from './invitation-mail.ts'
import {
  findInvitation,
  invitationsPartition,
  invitationsProjection,
  type ListedInvitation,
  readInvitations,
} from './projection.ts'

export type InvitationsDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<ReadStore, 'range' | 'entry'> & Pick<Checkpoints, 'whenApplied'>
  readonly vault: Pick<PersonalDataVault, 'index' | 'encrypt'>
  readonly clockAndIds: Pick<ClockAndIds, 'now' | 'newId'>
  readonly profiles: ProfileCache
  readonly findUser: FindUser
  readonly links: Pick<LinkSender, 'send' | 'hasCapacity'>
  /** Of the portal, for links. */
  readonly origin: string
  /** Without one, the admin gets the link to hand it over. */
  readonly hasMailServer: boolean
  readonly roster: Pick<AdminRoster, 'count'>
  readonly acceptance: Pick<AcceptInvitation, 'finish'>
  readonly end: EndInvitation
}

type Invitee = { readonly fullName: string; readonly personalEmail: string; readonly role: InvitedRole }
type Sent = Result<SentInvitation, ApiError>
/** The admin who invites, as far as they are known. */
type Sender = { readonly name: string; readonly userIds: readonly UserId[] }

export const createInvitations = (deps: InvitationsDeps) => {
  const { eventStore, readModel, vault, clockAndIds, profiles, findUser, links, origin, hasMailServer } = deps
  const { roster, acceptance, end } = deps
  const runExclusive = createKeyedMutex()

  const handle = (emailIndex: string, command: InvitationCommand, metadata: EventMetadata) =>
    handleCommand(eventStore, invitationDecider, emailIndex, command, {
      eventId: eventIdsOf(clockAndIds.newId()),
      metadata,
    })

  const untilListed = (eventPosition: Position | undefined) =>
    eventPosition === undefined
      ? undefined
      : waitForProjection(readModel, {
          projection: invitationsProjection,
          partition: invitationsPartition,
          eventPosition,
        })

  const senderOf = async (admin: string | undefined): Promise<Sender> => {
    const { data: userId } = userIdSchema.safeParse(admin)
    if (userId === undefined) return { name: '', userIds: [] }
    return { name: (await findUser(userId))?.fullName ?? '', userIds: [userId] }
  }
  const nameOf = async (admin: string | undefined): Promise<string> => (await senderOf(admin)).name

  const hasOwner = async (emailIndex: string, metadata: EventMetadata): Promise<boolean> => {
    await acceptance.finish(emailIndex, metadata)
    const { state } = await loadState(eventStore, registrationDecider, emailIndex)
    return state.status === 'completed'
  }

  const noRoomFor = async (role: InvitedRole): Promise<ApiError | undefined> => {
    const open = await readInvitations(readModel)
    if (open.length >= invitationLimits.open) return tooManyOpenInvitations
    if (role !== 'admin') return undefined
    const invited = open.filter((invitation) => invitation.role === 'admin').length
    return (await roster.count()) + invited >= limits.admins ? noAdminInvitationLeft : undefined
  }

  /** Mails the link, or answers it if no mail goes out. */
  const sendLink = (
    { userId, emailIndex, role, expiresAtMs }: OpenInvitation,
    { fullName, personalEmail }: Pick<Profile, 'fullName' | 'personalEmail'>,
    { token, sender, invitedBy }: { readonly token: string; readonly sender: Sender; readonly invitedBy: string },
  ): SentInvitation => {
    const expiresAt = new Date(expiresAtMs).toISOString()
    const userIds = [userId, ...sender.userIds]
    const isDue = async () => {
      const { state } = await loadState(eventStore, invitationDecider, emailIndex)
      // The link of an earlier mail ends when it is sent again.
      return state.status === 'open' && state.userId === userId && state.expiresAtMs === expiresAtMs
    }
    const mail = { userIds, email: personalEmail, token, fullName, role, invitedBy: sender.name, expiresAt, origin }
    links.send(invitationMailOf({ ...mail, isDue }))
    return {
      _id: userId,
      fullName,
      personalEmail,
      role,
      state: 'pending',
      invitedBy,
      sentAt: clockAndIds.now().toISOString(),
      expiresAt,
      ...(!hasMailServer && { link: invitationLinkOf(origin, token, personalEmail) }),
    }
  }

  const invite = async ({ fullName, personalEmail, role }: Invitee, metadata: EventMetadata): Promise<Sent> => {
    const emailIndex = vault.index('email', personalEmail)
    if (await hasOwner(emailIndex, metadata)) return rejected(hasAccount)
    const { state } = await loadState(eventStore, invitationDecider, emailIndex)
    if (isPending(state, clockAndIds.now())) return rejected(alreadyInvited)
    const noRoom = await noRoomFor(role)
    if (noRoom) return rejected(noRoom)
    const userId = userIdSchema.parse(clockAndIds.newId())
    const profile: Profile = { fullName, personalEmail, mobileNumber: '', universityName: '', studentCode: '' }
    const person = { userId, role, emailIndex, profile: await vault.encrypt(userId, JSON.stringify(profile)) }
    const token = newResetToken(emailIndex)
    const link = { tokenHash: resetTokenHash(vault, token), now: clockAndIds.now() }
    const handled = await handle(emailIndex, { type: 'Invite', person, ...link }, metadata)
    const sent = handled.ok ? handled.value.state : undefined
    if (!handled.ok || sent?.status !== 'open') {
      await end.destroyData(userId)
      return rejected(alreadyInvited)
    }
    // An expired invitation that this one replaces.
    if (state.status === 'open') await end.destroyData(state.userId)
    await untilListed(handled.value.position)
    const sender = await senderOf(metadata.actorId)
    return ok(sendLink(sent, profile, { token, sender, invitedBy: sender.name }))
  }

  const resend = async (userId: UserId, metadata: EventMetadata): Promise<Sent> => {
    const listed = await findInvitation(readModel, userId)
    const profile = listed && (await profiles.open(userId, listed.profile))
    if (!listed || !profile) return rejected(invitationNotFound)
    const { emailIndex, invitedBy } = listed
    if (await hasOwner(emailIndex, metadata)) {
      await end.lapse(listed, 'address-taken', metadata)
      return rejected(hasAccount)
    }
    const token = newResetToken(emailIndex)
    const link = { tokenHash: resetTokenHash(vault, token), now: clockAndIds.now() }
    const handled = await handle(emailIndex, { type: 'ResendInvitation', userId, ...link }, metadata)
    if (!handled.ok || handled.value.state.status !== 'open') return rejected(invitationNotFound)
    await untilListed(handled.value.position)
    const [sender, first] = await Promise.all([senderOf(metadata.actorId), nameOf(invitedBy)])
    return ok(sendLink(handled.value.state, profile, { token, sender, invitedBy: first }))
  }

  const present = async (listed: ListedInvitation): Promise<readonly Invitation[]> => {
    const { userId, role, invitedBy, sentAt, expiresAt } = listed
    const profile = await profiles.open(userId, listed.profile)
    if (profile === undefined) return []
    const { fullName, personalEmail } = profile
    const state = Date.parse(expiresAt) <= clockAndIds.now().getTime() ? 'expired' : 'pending'
    const names = { fullName, personalEmail, invitedBy: await nameOf(invitedBy) }
    return [{ _id: userId, ...names, role, state, sentAt, expiresAt }]
  }

  /** One after the other, so that each sees those before it in the list and the limits hold. */
  const inTurn = async (work: () => Promise<Sent>): Promise<Sent> =>
    links.hasCapacity() ? runExclusive(invitationsPartition, work) : rejected(invitationNotSent)

  return {
    invite: (invitee: Invitee, metadata: EventMetadata) => inTurn(() => invite(invitee, metadata)),
    resend: (userId: UserId, metadata: EventMetadata) => inTurn(() => resend(userId, metadata)),

    withdraw: async (userId: UserId, metadata: EventMetadata): Promise<Result<void, ApiError>> => {
      const listed = await findInvitation(readModel, userId)
      if (listed === undefined) return rejected(invitationNotFound)
      const handled = await handle(listed.emailIndex, { type: 'WithdrawInvitation', userId }, metadata)
      if (!handled.ok) return rejected(invitationNotFound)
      await end.destroyData(userId)
      await untilListed(handled.value.position)
      return ok(undefined)
    },

    list: async (): Promise<Invitation[]> => {
      const presented: Invitation[] = []
      for (const listed of await readInvitations(readModel)) presented.push(...(await present(listed)))
      return presented
    },
  }
}
export type Invitations = ReturnType<typeof createInvitations>
