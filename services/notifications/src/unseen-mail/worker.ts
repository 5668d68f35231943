import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { createBackoff } from '@portal/platform/async/backoff'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import type { Logger } from 'pino'
import type { Moment } from '../delivery/send-times.ts'
import type { SendUnseenMail } from './send-unseen-mail.ts'
import type { FindUnseen } from './unseen-candidates.ts'

export type UnseenMailPace = {
  /** Between two e-mails: many mail servers take only a few each second. */
  readonly betweenMailsMs: number
  /** Between two looks for what has become due. */
  readonly pollMs: number
  /** Between two looks whether the projections have caught up. */
  readonly catchUpMs: number
  /** After a failed e-mail, before the next one to any user. */
  readonly failurePause: { readonly firstMs: number; readonly maxMs: number }
  /** After the first failure of a user's e-mail, doubled each time. What is too old ends it. */
  readonly retryMs: number
}

export const defaultUnseenMailPace: UnseenMailPace = {
  betweenMailsMs: 200,
  pollMs: 30_000,
  catchUpMs: 1_000,
  failurePause: { firstMs: 1_000, maxMs: 600_000 },
  retryMs: 3_600_000,
}

/** No more are looked for while so many wait. Each waits for a day at most, or until its notifications are too old. */
const maxWaiting = 100_000

type Waiting = { readonly notificationIds: ReadonlySet<NotificationId>; readonly failures: number }
type Later = Waiting & { readonly atMs: number }

type UnseenMailWorkerDeps = {
  readonly findUnseen: FindUnseen
  readonly send: (signal: AbortSignal) => SendUnseenMail
  /** Whether the projections have caught up with the log. A replay may lack reads and outcomes. */
  readonly mayAct: () => boolean
  readonly now: () => Moment
  readonly pace: UnseenMailPace
  readonly logger: Pick<Logger, 'warn'>
}

/** The message can hold the address. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}

/**
 * Sends e-mails about what users without a device have not read, one after the other. Nothing of it is stored but the e-mails: a start
 * finds again who waits.
 */
export const createUnseenMailWorker = ({ findUnseen, mayAct, now, pace, logger, ...deps }: UnseenMailWorkerDeps) => {
  const state = createRunningState()
  const { signal } = state
  const send = deps.send(signal)
  const ready = new Map<UserId, Waiting>()
  const later = new Map<UserId, Later>()
  const backoff = createBackoff(pace.failurePause)
  let running: Promise<void> | undefined

  /** The system clock, unless it was set forward: that must not make anything due. */
  const nowMs = (): number => {
    const { wallMs, steadyMs } = now()
    return Math.min(wallMs, steadyMs)
  }

  const add = (userId: UserId, { notificationIds, failures }: Waiting): void => {
    const known = ready.get(userId) ?? later.get(userId)
    const all = new Set([...(known?.notificationIds ?? []), ...notificationIds])
    const waiting = { notificationIds: all, failures: Math.max(known?.failures ?? 0, failures) }
    const postponed = later.get(userId)
    if (postponed) later.set(userId, { ...waiting, atMs: postponed.atMs })
    else ready.set(userId, waiting)
  }

  const postpone = (userId: UserId, waiting: Waiting, inMs: number): void =>
    void later.set(userId, { ...waiting, atMs: now().steadyMs + inMs })

  const handle = async (userId: UserId, waiting: Waiting): Promise<void> => {
    try {
      const outcome = await send(userId, waiting.notificationIds, nowMs())
      if (outcome.kind === 'later') postpone(userId, waiting, outcome.inMs)
      if (outcome.kind !== 'sent') return
      backoff.reset()
      if (outcome.rest.length > 0) add(userId, { notificationIds: new Set(outcome.rest), failures: 0 })
      await sleep(pace.betweenMailsMs, { signal })
    } catch (error) {
      if (signal.aborted) return
      logger.warn(
        { userId, reason: reasonOf(error) },
        'an e-mail about unread notifications could not be sent, retrying',
      )
      const failures = waiting.failures + 1
      postpone(userId, { ...waiting, failures }, pace.retryMs * 2 ** (failures - 1))
      await backoff.pause(signal)
    }
  }

  const handleReady = async (): Promise<void> => {
    for (const [userId, waiting] of ready) {
      if (signal.aborted || !mayAct()) return
      ready.delete(userId)
      await handle(userId, waiting)
      await yieldToEventLoop()
    }
  }

  /** Sends what is due now. */
  const round = async (): Promise<void> => {
    for (const [userId, { atMs, ...waiting }] of later) {
      if (atMs > now().steadyMs) continue
      later.delete(userId)
      add(userId, waiting)
    }
    await handleReady()
    while (!signal.aborted && mayAct() && later.size < maxWaiting) {
      const found = await findUnseen.next(nowMs())
      if (found === undefined) return
      for (const userId of found.userIds) add(userId, { notificationIds: new Set([found.notificationId]), failures: 0 })
      await handleReady()
    }
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = mayAct() ? pace.pollMs : pace.catchUpMs
      try {
        await round()
      } catch (err) {
        if (!signal.aborted) logger.warn({ err }, 'unread notifications could not be read, retrying')
      }
      await sleep(pauseMs, { signal })
    }
  }

  return {
    round,
    start: (): void => {
      running = run()
    },
    /** Resolves when no e-mail is under way. */
    stop: async (): Promise<void> => {
      state.stop()
      await running
    },
  }
}
