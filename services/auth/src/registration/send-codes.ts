import type { UserId } from '@portal/contracts/shared/ids'
import { type MailSender, type SmsSender, UnconfirmedError } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { redactError } from '../redact-error.ts'
import { codeLimits } from './code-limits.ts'
import type { Channel, PerChannel } from './events.ts'

export type Recipient = { readonly email: string; readonly mobileNumber: string }
/** `userIds`: of the account that the registration leads to. Empty in records from before they had it. */
export type Registrant = Recipient & { readonly userIds: readonly UserId[] }

type CodeSenderDeps = { readonly mail: MailSender; readonly sms: SmsSender; readonly logger: Logger }

const validMinutes = codeLimits.validMs / 60_000
const advice = `It expires in ${validMinutes} minutes. If you did not request it, ignore this message.`

/** 'unconfirmed': the provider of a code did not answer, so the code may still arrive. */
export type Sending = 'sent' | 'unconfirmed' | 'failed'

/** Sends each code, and returns the worst outcome. */
export const createCodeSender = ({ mail, sms, logger }: CodeSenderDeps) => {
  const attempt = async (channel: Channel, recipient: string, sending: Promise<void>): Promise<Sending> => {
    try {
      await sending
      return 'sent'
    } catch (error) {
      logger.warn({ channel, reason: redactError(error, [recipient]) }, 'failed to send verification code')
      return error instanceof UnconfirmedError ? 'unconfirmed' : 'failed'
    }
  }

  return async ({ email, mobileNumber, userIds }: Registrant, codes: PerChannel<string>): Promise<Sending> => {
    const sendAttempts: Promise<Sending>[] = []
    if (codes.email !== undefined) {
      const subject = `${codes.email} is your verification code`
      const text = `Your verification code is ${codes.email}.\n\n${advice}`
      sendAttempts.push(attempt('email', email, mail.send({ to: email, subject, text, code: codes.email, userIds })))
    }
    if (codes.mobile !== undefined) {
      const text = `${codes.mobile} is your verification code. ${advice}`
      sendAttempts.push(
        attempt('mobile', mobileNumber, sms.send({ to: mobileNumber, text, code: codes.mobile, userIds })),
      )
    }
    const outcomes = await Promise.all(sendAttempts)
    return (['failed', 'unconfirmed'] as const).find((worst) => outcomes.includes(worst)) ?? 'sent'
  }
}

/**
 * Notifies the owner of an address once, when an account was created with only a phone number confirmed. The new user
 * may be the owner or a stranger.
 */
export const createNotifyOwner =
  ({ mail, logger }: Pick<CodeSenderDeps, 'mail' | 'logger'>, origin: string) =>
  async (email: string, userId: UserId): Promise<void> => {
    const text = [
      'An account was created with this email address. It was confirmed with a code sent to a mobile number only.',
      'If you created it, you do not need to do anything.',
      `If you did not, register with this address at ${origin}/register and enter the code from the email. The address is then yours, and the other account can no longer use it.`,
    ].join('\n\n')
    try {
      const subject = 'An account was created with your email address'
      await mail.send({ to: email, subject, text, userIds: [userId] })
    } catch (error) {
      logger.warn({ reason: redactError(error, [email]) }, 'failed to notify owner of email address')
    }
  }
export type NotifyOwner = ReturnType<typeof createNotifyOwner>

export type CodeSender = ReturnType<typeof createCodeSender>
