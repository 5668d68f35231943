import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import type { MailSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { redactError } from '../redact-error.ts'
import { resetLimits } from './decider.ts'
import { resetLinkOf } from './link-origin.ts'

export type LinkSenderOptions = {
  /** Between attempts at a mail that is not taken over. */
  readonly retryDelaysMs: readonly number[]
  /** Mails that are being handed over or wait for another attempt. A provider that stands still must not fill the memory. */
  readonly maxInFlight: number
}

/** So that the last attempt leaves most of the time in which the link works. */
export const defaultLinkSenderOptions: LinkSenderOptions = {
  retryDelaysMs: [5_000, 30_000, 120_000, 300_000],
  maxInFlight: 500,
}

type Deps = LinkSenderOptions & {
  readonly mail: Pick<MailSender, 'send'>
  readonly origin: string
  /** Counts the mails that were promised and not sent. */
  readonly givenUp?: { inc(): void } | undefined
  readonly logger: Logger
}

const validMinutes = resetLimits.validMs / 60_000

const textOf = (link: string): string =>
  [
    'Somebody, most likely you, asked to set a new password for your account. Open this link to choose one:',
    link,
    `It works once, for ${validMinutes} minutes. If you did not ask for it, please ignore this message: your password stays as it is.`,
  ].join('\n\n')

/**
 * Hands over mails with reset links. Nobody waits for them: whether and how fast one went out would tell a caller who is
 * registered. One that fails is tried again for as long as the process runs; the token is nowhere but here.
 */
export const createLinkSender = ({ mail, origin, retryDelaysMs, maxInFlight, givenUp, logger }: Deps) => {
  const inFlight = new Set<Promise<void>>()
  const state = createRunningState()

  const attempt = async (email: string, token: string): Promise<boolean> => {
    const link = resetLinkOf(origin, token)
    try {
      await mail.send({ to: email, subject: 'Reset your password', text: textOf(link), link })
      return true
    } catch (error) {
      logger.warn({ reason: redactError(error, [email, token]) }, 'a reset link could not be sent')
      return false
    }
  }

  const giveUp = (why: string): void => {
    givenUp?.inc()
    logger.error({ why }, 'a reset link was given up')
  }

  const deliver = async (email: string, token: string): Promise<void> => {
    // The request is answered first.
    await nextTurn()
    if (await attempt(email, token)) return
    for (const delayMs of retryDelaysMs) {
      await sleep(delayMs, { signal: state.signal })
      if (state.isStopped()) return giveUp('the process stops')
      if (await attempt(email, token)) return
    }
    giveUp('no attempt worked')
  }

  const hasCapacity = (): boolean => inFlight.size < maxInFlight

  return {
    /** Asked before a link is promised. */
    hasCapacity,
    send: (email: string, token: string): void => {
      if (!hasCapacity()) return giveUp('too many wait')
      const delivery = deliver(email, token).finally(() => inFlight.delete(delivery))
      inFlight.add(delivery)
    },
    /** Ends the pauses; resolves when what is being handed over has been. */
    stop: async (): Promise<void> => {
      state.stop()
      await Promise.all(inFlight)
    },
  }
}
export type LinkSender = ReturnType<typeof createLinkSender>
