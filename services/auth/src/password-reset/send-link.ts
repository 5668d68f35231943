import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import type { MailSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { redactError } from '../redact-error.ts'
import { resetLimits } from './decider.ts'
import { resetLinkOf } from './reset-link.ts'

export type LinkSenderOptions = {
  /** Delays between attempts to send one mail. */
  readonly retryDelaysMs: readonly number[]
  /** Mails being sent or waiting for a retry. Bounds the memory while the provider hangs. */
  readonly maxInFlight: number
}

/** The last attempt leaves most of the lifetime of the link. */
export const defaultLinkSenderOptions: LinkSenderOptions = {
  retryDelaysMs: [5_000, 30_000, 120_000, 300_000],
  maxInFlight: 500,
}

type LinkSenderDeps = LinkSenderOptions & {
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  /** Counts mails that were promised and never sent. */
  readonly givenUp?: { inc(): void } | undefined
  readonly logger: Logger
}

const validMinutes = resetLimits.validMs / 60_000

const textOf = (link: string): string =>
  [
    'We received a request to reset your password. Open this link to choose a new one:',
    link,
    `The link works once and expires in ${validMinutes} minutes. If you did not request it, ignore this message. Your password stays the same.`,
  ].join('\n\n')

/**
 * Sends mails with reset links in the background: the response time must not reveal which addresses are registered.
 * Retries while the process runs, because the token exists only in its memory.
 */
export const createLinkSender = ({ mail, origin, retryDelaysMs, maxInFlight, givenUp, logger }: LinkSenderDeps) => {
  const inFlight = new Set<Promise<void>>()
  const state = createRunningState()

  const attempt = async (email: string, token: string): Promise<boolean> => {
    const link = resetLinkOf(origin, token, email)
    try {
      await mail.send({ to: email, subject: 'Reset your password', text: textOf(link), link })
      return true
    } catch (error) {
      logger.warn(
        { reason: redactError(error, [email, encodeURIComponent(email), token]) },
        'failed to send reset link',
      )
      return false
    }
  }

  const giveUp = (why: string): void => {
    givenUp?.inc()
    logger.error({ why }, 'reset link dropped')
  }

  const deliver = async (email: string, token: string): Promise<void> => {
    // Lets the response go out first.
    await nextTurn()
    if (await attempt(email, token)) return
    for (const delayMs of retryDelaysMs) {
      await sleep(delayMs, { signal: state.signal })
      if (state.isStopped()) return giveUp('the process is stopping')
      if (await attempt(email, token)) return
    }
    giveUp('all attempts failed')
  }

  const hasCapacity = (): boolean => inFlight.size < maxInFlight

  return {
    /** Whether another link can be queued. Check before promising one. */
    hasCapacity,
    send: (email: string, token: string): void => {
      if (!hasCapacity()) return giveUp('too many links are queued')
      const delivery = deliver(email, token).finally(() => inFlight.delete(delivery))
      inFlight.add(delivery)
    },
    /** Cancels waiting retries and resolves when the sends in flight have ended. */
    stop: async (): Promise<void> => {
      state.stop()
      await Promise.all(inFlight)
    },
  }
}
export type LinkSender = ReturnType<typeof createLinkSender>
