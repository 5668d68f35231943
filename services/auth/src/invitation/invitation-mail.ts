import type { UserId } from '@portal/contracts/shared/ids'
import { invitationLimits, type InvitedRole } from '@portal/contracts/auth/invitations'
import type { LinkMail } from '../password-reset/send-link.ts'

type InvitationMail = Pick<LinkMail, 'isDue'> & {
  /** Of the invited person and of the admin. */
  readonly userIds: readonly UserId[]
  readonly email: string
  readonly token: string
  readonly fullName: string
  readonly role: InvitedRole
  /** Name of the admin. */
  readonly invitedBy: string
  readonly expiresAt: string
  /** Of the portal. */
  readonly origin: string
}

const roleNames: Readonly<Record<InvitedRole, string>> = { admin: 'an admin', faculty: 'a member of the faculty' }

/** Mail programs do not tell where the reader lives. */
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const invitationMailOf = (invitation: InvitationMail): LinkMail => {
  const { userIds, isDue, email, token, fullName, role, invitedBy, expiresAt, origin } = invitation
  const what = `to the learning portal of the center as ${roleNames[role]}`
  return {
    kind: 'invitation',
    email,
    userIds,
    isDue,
    token,
    subject: 'Invitation to the learning portal',
    textOf: (link) =>
      [
        `Dear ${fullName},`,
        invitedBy === '' ? `You are invited ${what}: ${origin}` : `${invitedBy} invites you ${what}: ${origin}`,
        'Open this link to choose your password. Then log in with this email address:',
        link,
        `The link works once, within ${invitationLimits.validHours} hours: until ${utc.format(new Date(expiresAt))} UTC. If you do not expect it, ignore this message.`,
      ].join('\n\n'),
    names: [fullName, invitedBy].filter((name) => name !== ''),
  }
}
