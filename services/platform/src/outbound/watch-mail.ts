import type { Logger } from 'pino'
import type { HealthPart } from '../observability/health.ts'
import { refusesMessageOnly, type SmtpMail } from './smtp-mail.ts'
import type { MailSender } from './port.ts'

/** Mail counts as down once the server has accepted nothing for this long. */
const downAfterMs = 5 * 60_000
/** While mail is down, its check tries the server this often, because there may be no e-mail to send. */
const probeEveryMs = 60_000

/** The code of the error of a refused sender. */
const refusedSender = 'EENVELOPE'

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

/** A sender that knows since when its server fails. An e-mail that is refused for its recipient is no failure of the server. */
export const watchMail = (
  mail: SmtpMail,
  { logger, nowMs = () => performance.now() }: WatchMailOptions,
): MailSender & { readonly health: HealthPart } => {
  let failing: { readonly sinceMs: number; readonly reason: string } | undefined
  let probedAtMs = -Infinity

  const works = () => {
    if (failing !== undefined) logger.info('the mail server of SMTP_URL accepts e-mails again')
    failing = undefined
  }
  const fails = (error: unknown) => {
    // The name and code of an error hold no address; its message can quote the recipient.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer in time'
    if (failing === undefined) logger.warn({ reason }, 'the mail server of SMTP_URL does not accept e-mails')
    failing = { sinceMs: failing?.sinceMs ?? nowMs(), reason }
  }
  const probe = () => {
    if (nowMs() - probedAtMs < probeEveryMs) return
    probedAtMs = nowMs()
    // A log-in says nothing about a sender that the server refuses: only an accepted e-mail does.
    mail.verify().then(() => failing?.reason !== refusedSender && works(), fails)
  }

  return {
    send: async (message) => {
      try {
        await mail.send(message)
        works()
      } catch (error) {
        // A refused recipient says neither that the server works nor that it fails.
        if (!refusesMessageOnly(error)) fails(error)
        throw error
      }
    },
    close: mail.close,
    health: {
      name: 'mail',
      isCritical: false,
      check: async () => {
        if (failing === undefined) return
        const failingMs = nowMs() - failing.sinceMs
        if (failingMs < downAfterMs) return
        probe()
        const minutes = Math.floor(failingMs / 60_000)
        throw new MailFailingError(
          `SMTP_URL: the mail server has accepted nothing for ${minutes} minutes (${failing.reason}). Try it: make doctor`,
        )
      },
    },
  }
}
