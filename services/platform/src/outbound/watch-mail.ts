import type { Logger } from 'pino'
import { z } from 'zod'
import type { HealthPart } from '../observability/health.ts'
import { refusesMailbox, refusesMessageOnly, type SmtpMail } from './smtp-mail.ts'
import type { MailSender } from './port.ts'

/** Mail counts as down once the server has accepted nothing for this long. */
const downAfterMs = 5 * 60_000
/** While mail fails, its check tries the server this often, because there may be no e-mail to send. */
const probeEveryMs = 60_000
/** A single failure proves nothing, nor do several of one recipient. */
const neededFailures = 2
/** Refusals of recipients that are further apart are independent of each other, and prove nothing any more. */
const recipientsForgottenAfterMs = 30 * 60_000

/** A user-facing error, so that health logs one line. */
class MailFailingError extends Error {
  override readonly name = 'MailFailingError'
  readonly isUserFacing = true
}

type WatchMailOptions = {
  readonly logger: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs?: () => number
}

/** A login succeeds at a server that refuses the sender or the recipients: only an accepted e-mail disproves them. */
type Kind = 'server' | 'sender' | 'recipient'

type Failing = {
  readonly sinceMs: number
  lastMs: number
  kind: Kind
  reason: string
  isLogged: boolean
  /** Different failures, at most as many as are needed. */
  readonly failures: Set<string>
}

const errorSchema = z.object({ code: z.string(), responseCode: z.number().optional() })

/** Name, code and reply code of an error hold no address; its message can quote the recipient. */
const reasonOf = (error: unknown): string => {
  const { data } = errorSchema.safeParse(error)
  return data === undefined ? 'no answer in time' : [data.code, data.responseCode].filter(Boolean).join(' ')
}

const kindOf = (error: unknown): Kind => {
  if (refusesMessageOnly(error)) return 'recipient'
  return errorSchema.safeParse(error).data?.code === 'EENVELOPE' ? 'sender' : 'server'
}

const isForgotten = ({ kind, lastMs }: Failing, nowMs: number): boolean =>
  kind === 'recipient' && nowMs - lastMs > recipientsForgottenAfterMs

/** Refusals of recipients count from the first to the last, because any stranger can enter addresses that do not exist. */
const isDown = (failing: Failing, nowMs: number): boolean => {
  const { sinceMs, lastMs, kind, failures } = failing
  if (failures.size < neededFailures || isForgotten(failing, nowMs)) return false
  return (kind === 'recipient' ? lastMs : nowMs) - sinceMs >= downAfterMs
}

/** A sender that knows since when its server accepts nothing. */
export const watchMail = (
  mail: SmtpMail,
  { logger, nowMs = () => performance.now() }: WatchMailOptions,
): MailSender & { readonly health: HealthPart } => {
  let failing: Failing | undefined
  let probedAtMs = 0

  const works = () => {
    if (failing?.isLogged) logger.info('the mail server of SMTP_URL accepts e-mails again')
    failing = undefined
  }
  const fails = (error: unknown, to?: string) => {
    const [lastMs, kind, reason] = [nowMs(), kindOf(error), reasonOf(error)]
    if (failing === undefined || isForgotten(failing, lastMs)) {
      probedAtMs = lastMs
      failing = { sinceMs: lastMs, lastMs, kind, reason, isLogged: false, failures: new Set() }
    }
    Object.assign(failing, { lastMs, kind, reason })
    const { failures } = failing
    if (failures.size < neededFailures)
      failures.add(kind === 'recipient' && to !== undefined ? to : `at ${failures.size}`)
    if (failing.isLogged || (kind === 'recipient' && failures.size < neededFailures)) return
    logger.warn({ reason }, 'the mail server of SMTP_URL does not accept e-mails')
    failing.isLogged = true
  }
  const probe = () => {
    if (nowMs() - probedAtMs < probeEveryMs) return
    probedAtMs = nowMs()
    mail.verify().then(() => failing?.kind === 'server' && works(), fails)
  }

  return {
    send: async (message) => {
      try {
        await mail.send(message)
        works()
      } catch (error) {
        // A mistyped address says nothing of the server.
        if (!refusesMailbox(error)) fails(error, message.to)
        throw error
      }
    },
    close: mail.close,
    health: {
      name: 'mail',
      isCritical: false,
      check: async () => {
        if (failing === undefined) return
        probe()
        if (!isDown(failing, nowMs())) return
        const minutes = Math.floor((nowMs() - failing.sinceMs) / 60_000)
        throw new MailFailingError(
          `SMTP_URL: the mail server has accepted nothing for ${minutes} minutes (${failing.reason}). Try it: make doctor`,
        )
      },
    },
  }
}
