import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UserId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import { countedFromZero } from '@portal/platform/observability/metrics/metrics'
import type { MailSender } from '@portal/platform/outbound/port'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import { linkOriginOf, type Site } from '@portal/platform/settings/link-origin'
import type { Logger } from 'pino'
import { redactError } from '../redact-error.ts'
import { resetLimits } from './decider.ts'
import { invitationLinkOf, resetLinkOf } from './reset-link.ts'

export type LinkSenderOptions = {
  /** Delays between attempts to send one mail. */
  readonly retryDelaysMs: readonly number[]
  /** Mails being sent or waiting for a retry. Bounds the memory while the provider hangs. */
  readonly maxInFlight: number
}

/** The last attempt leaves most of the lifetime of the link. */
const defaultLinkSenderOptions: LinkSenderOptions = {
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

/** A mail with a one-time link to the page that sets a password. */
export type LinkMail = {
  /** For the log. */
  readonly kind: keyof typeof kinds
  readonly email: string
  /** The recipient, and who is named in the text. */
  readonly userIds: readonly UserId[]
  readonly token: string
  readonly subject: string
  textOf(link: string): string
  /** Whether a retry still serves anyone: the account may be erased, the invitation withdrawn. */
  isDue(): Promise<boolean>
  /** Names in the text, which no log may show. */
  readonly names?: readonly string[]
}

/** The lines of the log are whole, so that a search for one finds it here. */
const kinds = {
  'reset link': { linkOf: resetLinkOf, failed: 'failed to send reset link', dropped: 'reset link dropped' },
  invitation: { linkOf: invitationLinkOf, failed: 'failed to send invitation', dropped: 'invitation dropped' },
} as const

type ResetMail = Pick<LinkMail, 'email' | 'token' | 'isDue'> & { readonly userId: UserId }

export const resetMailOf = ({ email, userId, token, isDue }: ResetMail): LinkMail => ({
  kind: 'reset link',
  email,
  userIds: [userId],
  token,
  isDue,
  subject: 'Reset your password',
  textOf: (link) =>
    [
      'We received a request to reset your password. Open this link to choose a new one:',
      link,
      `The link works once and expires in ${validMinutes} minutes. If you did not request it, ignore this message. Your password stays the same.`,
    ].join('\n\n'),
})

/**
 * Sends mails with links in the background: the response time must not reveal which addresses are registered. Retries
 * while the process runs, because the token exists only in its memory.
 */
export const createLinkSender = ({ mail, origin, retryDelaysMs, maxInFlight, givenUp, logger }: LinkSenderDeps) => {
  const inFlight = new Set<Promise<void>>()
  const state = createRunningState()

  /** Returns whether nothing is left to do. */
  const attempt = async (linkMail: LinkMail, isRetry: boolean): Promise<boolean> => {
    const { kind, email, userIds, token, subject, textOf, names = [] } = linkMail
    const link = kinds[kind].linkOf(origin, token, email)
    try {
      if (isRetry && !(await linkMail.isDue())) return true
      await mail.send({ to: email, subject, text: textOf(link), link, userIds })
      return true
    } catch (error) {
      const confidential = [email, encodeURIComponent(email), token, ...names]
      logger.warn({ reason: redactError(error, confidential) }, kinds[kind].failed)
      return false
    }
  }

  const giveUp = ({ kind }: LinkMail, why: string): void => {
    givenUp?.inc()
    logger.error({ why }, kinds[kind].dropped)
  }

  const deliver = async (linkMail: LinkMail): Promise<void> => {
    // Lets the response go out first.
    await nextTurn()
    if (await attempt(linkMail, false)) return
    for (const delayMs of retryDelaysMs) {
      await sleep(delayMs, { signal: state.signal })
      if (state.isStopped()) return giveUp(linkMail, 'the process is stopping')
      if (await attempt(linkMail, true)) return
    }
    giveUp(linkMail, 'all attempts failed')
  }

  const hasCapacity = (): boolean => inFlight.size < maxInFlight

  return {
    /** Whether another link can be queued. Check before promising one. */
    hasCapacity,
    send: (linkMail: LinkMail): void => {
      if (!hasCapacity()) return giveUp(linkMail, 'too many links are queued')
      const delivery = deliver(linkMail).finally(() => inFlight.delete(delivery))
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

export type LinkSenderPorts = Pick<ServiceDeps, 'observability' | 'logger'> & {
  readonly mail: MailSender
  /** Public address of the portal. */
  readonly site: Site
  readonly linkSenderOptions?: Partial<LinkSenderOptions>
}

/** A link sender of the auth service, with a queue of its own. */
export const openLinkSender = ({ mail, site, observability, logger, linkSenderOptions }: LinkSenderPorts): LinkSender =>
  createLinkSender({
    ...defaultLinkSenderOptions,
    ...linkSenderOptions,
    mail,
    origin: linkOriginOf(site),
    givenUp: observability && countedFromZero(observability.metrics.outbound.givenUp, { channel: 'email' }),
    logger,
  })
