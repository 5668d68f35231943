import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import type { MailSender } from '@portal/platform/outbound/port'
import type { Logger } from 'pino'
import { sendingFailure } from '../sending-failure.ts'
import { resetLimits } from './decider.ts'
import { resetLinkOf } from './link-origin.ts'

export type LinkSending = {
  /** Between attempts at a mail that is not taken over. */
  readonly retryPausesMs: readonly number[]
  /** Mails that are being handed over or wait for another attempt. A provider that stands still must not fill the memory. */
  readonly mostUnderWay: number
}

/** So that the last attempt leaves most of the time in which the link works. */
export const defaultLinkSending: LinkSending = { retryPausesMs: [5_000, 30_000, 120_000, 300_000], mostUnderWay: 500 }

type Deps = LinkSending & {
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
export const createLinkSender = ({ mail, origin, retryPausesMs, mostUnderWay, givenUp, logger }: Deps) => {
  const underWay = new Set<Promise<void>>()
  const state = createRunningState()

  const attempt = async (email: string, token: string): Promise<boolean> => {
    const link = resetLinkOf(origin, token)
    try {
      await mail.send({ to: email, subject: 'Reset your password', text: textOf(link), link })
      return true
    } catch (error) {
      logger.warn({ reason: sendingFailure(error, [email, token]) }, 'a reset link could not be sent')
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
    for (const pauseMs of retryPausesMs) {
      await sleep(pauseMs, { signal: state.signal })
      if (state.isStopped()) return giveUp('the process stops')
      if (await attempt(email, token)) return
    }
    giveUp('no attempt worked')
  }

  const hasRoom = (): boolean => underWay.size < mostUnderWay

  return {
    /** Asked before a link is promised. */
    hasRoom,
    send: (email: string, token: string): void => {
      if (!hasRoom()) return giveUp('too many wait')
      const delivery = deliver(email, token).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    },
    /** Ends the pauses; resolves when what is being handed over has been. */
    stop: async (): Promise<void> => {
      state.stop()
      await Promise.all(underWay)
    },
  }
}
export type LinkSender = ReturnType<typeof createLinkSender>
