import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MailSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { sendingFailure } from '../sending-failure.ts'
import { resetLimits } from './reset-limits.ts'

type Deps = { readonly mail: MailSender; readonly origin: string; readonly logger: Logger }

const validMinutes = resetLimits.validMs / 60_000

const textOf = (link: string): string =>
  [
    'Somebody, most likely you, asked to set a new password for your account. Open this link to choose one:',
    link,
    `It works once, for ${validMinutes} minutes. If you did not ask for it, please ignore this message: your password stays as it is.`,
  ].join('\n\n')

/**
 * Hands over mails with reset links. Nobody waits for them: whether and how fast one went out would tell a caller who is
 * registered. One that fails is logged, and its reader asks for another.
 */
export const createLinkSender = ({ mail, origin, logger }: Deps) => {
  const underWay = new Set<Promise<void>>()

  const deliver = async (email: string, token: string): Promise<void> => {
    try {
      // The request is answered first.
      await nextTurn()
      const link = `${origin}/reset-password?token=${token}`
      await mail.send({ to: email, subject: 'Reset your password', text: textOf(link), link })
    } catch (error) {
      logger.warn({ reason: sendingFailure(error, [email, token]) }, 'a reset link could not be sent')
    }
  }

  return {
    send: (email: string, token: string): void => {
      if (underWay.size >= resetLimits.mailsUnderWay) {
        logger.warn('too many reset links are waiting to be sent; this one is not')
        return
      }
      const delivery = deliver(email, token).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },
    /** Resolves when all that was to be sent has been. */
    settled: async (): Promise<void> => {
      await Promise.all(underWay)
    },
  }
}
export type LinkSender = ReturnType<typeof createLinkSender>
