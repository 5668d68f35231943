import type { Mail } from '@portal/platform/outbound/port'

type LearnerInvitationMail = {
  readonly programName: string
  readonly expiresAt: string
  /** Of the portal. */
  readonly origin: string
}

/** Mail programs do not tell where the reader lives. */
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

export const learnerInvitationMailOf = ({
  programName,
  expiresAt,
  origin,
}: LearnerInvitationMail): Pick<Mail, 'subject' | 'text'> => ({
  subject: `Invitation to ${programName}`,
  text: [
    `You are invited to the program ${programName} of the learning portal: ${origin}`,
    `Create an account with this email address. With it, you are enrolled: ${origin}/register`,
    `The invitation is valid until ${utc.format(new Date(expiresAt))} UTC. If you do not expect it, ignore this message.`,
  ].join('\n\n'),
})
