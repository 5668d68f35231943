import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserId } from '@portal/contracts/shared/ids'
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

  const send = async (email: string, userId: UserId): Promise<void> => {
    await nextTurn()
    try {
      const subject = 'Failed attempts to log in to your account'
      await mail.send({ to: email, subject, text: textOf(origin), userIds: [userId] })
    } catch (error) {
      logger.warn({ reason: redactError(error, [email]) }, 'failed to send notice of failed logins')
    }
  }

  return {
    failed: async (attempt: {
      readonly email: string
      readonly emailIndex: string
      /** Undefined for an address without an account. */
      readonly userId: UserId | undefined
    }): Promise<void> => {
      const { email, emailIndex, userId } = attempt
      if ((await failures.attempt(emailIndex)) === undefined) return
      const isTold = (await notices.attempt(emailIndex)) !== undefined
      if (isTold || userId === undefined || inFlight.size >= maxInFlight) return
      const sending = send(email, userId).finally(() => inFlight.delete(sending))
      inFlight.add(sending)
    },
    /** Resolves when all sends in flight have ended. */
    stop: async (): Promise<void> => void (await Promise.all(inFlight)),
  }
}
export type FailedLoginNotices = ReturnType<typeof createFailedLoginNotices>
