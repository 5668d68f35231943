import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AttemptLimiter } from '@portal/platform/limits/port'
import type { MailSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { redactError } from '../redact-error.ts'

type FailedLoginNoticesDeps = {
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  /** Its limit is reached when the owner must be notified. */
  readonly failures: AttemptLimiter
  readonly notices: AttemptLimiter
  readonly logger: Pick<Logger, 'warn'>
}

const maxInFlight = 100

const textOf = (origin: string): string =>
  [
    'Someone has entered a wrong password for your account many times today. None of these attempts succeeded.',
    `If it was not you, please make sure that your password is long and used nowhere else. You can set a new one here: ${origin}/reset-password`,
    'Devices that you have logged in with before can still log in. You get this message once a day at most.',
  ].join('\n\n')

/**
 * Notifies the owner of an account about many wrong passwords. Counting takes the same time for every address, and the
 * mail goes out after the response. So the response time does not reveal which addresses are registered.
 */
export const createFailedLoginNotices = ({ mail, origin, failures, notices, logger }: FailedLoginNoticesDeps) => {
  const inFlight = new Set<Promise<void>>()

  const send = async (email: string): Promise<void> => {
    await nextTurn()
    try {
      await mail.send({ to: email, subject: 'Failed attempts to log in to your account', text: textOf(origin) })
    } catch (error) {
      logger.warn({ reason: redactError(error, [email]) }, 'failed to send notice of failed logins')
    }
  }

  return {
    failed: async (attempt: {
      readonly email: string
      readonly emailIndex: string
      readonly isRegistered: boolean
    }): Promise<void> => {
      const { email, emailIndex, isRegistered } = attempt
      if ((await failures.attempt(emailIndex)) === undefined) return
      if ((await notices.attempt(emailIndex)) !== undefined || !isRegistered || inFlight.size >= maxInFlight) return
      const sending = send(email).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    },
    /** Resolves when all sends in flight have ended. */
    stop: async (): Promise<void> => void (await Promise.all(inFlight)),
  }
}
export type FailedLoginNotices = ReturnType<typeof createFailedLoginNotices>
