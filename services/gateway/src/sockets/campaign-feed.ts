import { isDeepStrictEqual } from 'node:util'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { wholeMs } from '@portal/platform/async/timers'
import type { Logger } from 'pino'
import type { PortalServer } from './connections.ts'
import type { CampaignProgressReader } from './ports.ts'
import type { Applied } from './progress.ts'

/** The Socket.IO room of the admins. */
export const adminsRoom = 'admins'

const intervalMs = 250
/** Batches related changes without a noticeable delay. */
const debounceMs = 20
const appliedTimeoutMs = 2_000
/** Campaigns that may still change. Admins get them on connect, and a mark-all can affect any of them. */
const recentCampaigns = 20
/**
 * Maximum number of queued changes. Beyond it the oldest are dropped; admins see them when they reload the history.
 */
const changedCampaigns = 1_000
/** Read per flush; the rest follows after an interval. */
const campaignsPerFlush = 100

type CampaignFeedDeps = {
  readonly io: PortalServer
  readonly campaigns: CampaignProgressReader
  readonly inboxApplied: Applied
  hasAdmins(): boolean
  readonly logger: Logger
}

const dropOldest = <T>(oldestFirst: Iterable<T>, surplus: number, drop: (item: T) => void): void => {
  let left = surplus
  for (const item of oldestFirst) {
    if (left-- <= 0) return
    drop(item)
  }
}

/**
 * Sends admins the progress of campaigns: each campaign at most once per interval, always after its last change,
 * and only if a number has changed. Reads nothing while no admin is connected.
 */
export const createCampaignFeed = ({ io, campaigns, inboxApplied, hasAdmins, logger }: CampaignFeedDeps) => {
  /** Most recent last, with the progress last sent. */
  const recent = new Map<NotificationId, CampaignProgress | undefined>()
  const changed = new Set<NotificationId>()
  /** Positions by bucket that the projection must reach, so that reads include the changes. */
  let awaitedPositions = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let lastFlushMs = 0
  const state = createRunningState()

  const addRecent = (notificationId: NotificationId): void => {
    const lastSent = recent.get(notificationId)
    recent.delete(notificationId)
    recent.set(notificationId, lastSent)
    dropOldest(recent.keys(), recent.size - recentCampaigns, (oldest) => recent.delete(oldest))
  }

  const addChanged = (notificationId: NotificationId): void => {
    changed.add(notificationId)
    dropOldest(changed, changed.size - changedCampaigns, (oldest) => changed.delete(oldest))
  }

  const takeChanged = (): readonly NotificationId[] => {
    const taken = [...changed].slice(0, campaignsPerFlush)
    for (const notificationId of taken) changed.delete(notificationId)
    return taken
  }

  const emitProgress = (progress: CampaignProgress): void => {
    if (isDeepStrictEqual(recent.get(progress.notificationId), progress)) return
    if (recent.has(progress.notificationId)) recent.set(progress.notificationId, progress)
    io.local.to(adminsRoom).emit('campaign:progress', progress)
  }

  const emitChanged = async (notificationIds: readonly NotificationId[]): Promise<void> => {
    const waits = [...awaitedPositions]
    awaitedPositions = new Map()
    const applied = await Promise.all(
      waits.map(([bucket, position]) => inboxApplied(bucket, position, appliedTimeoutMs)),
    )
    for (const progress of await campaigns.progressOf(notificationIds)) if (progress) emitProgress(progress)
    // The projection is behind, so the numbers will change again.
    if (applied.includes(false)) notificationIds.forEach(addChanged)
  }

  const flush = async (): Promise<void> => {
    const notificationIds = takeChanged()
    if (!hasAdmins()) return
    try {
      await emitChanged(notificationIds)
    } catch (error) {
      logger.error({ err: error }, 'campaign progress could not be sent, retrying')
      notificationIds.forEach(addChanged)
    }
  }

  const schedule = (): void => {
    if (state.isStopped() || timer || flushing || changed.size === 0) return
    const waitMs = Math.max(debounceMs, lastFlushMs + intervalMs - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      lastFlushMs = performance.now()
      flushing = flush().finally(() => {
        flushing = undefined
        schedule()
      })
    }, wholeMs(waitMs))
  }

  const awaitApplied = (bucket: string, position: string): void => {
    const before = awaitedPositions.get(bucket)
    if (before === undefined || before < position) awaitedPositions.set(bucket, position)
  }

  return {
    /** A message with this key changed a campaign. */
    changed: (notificationId: NotificationId, bucket: string, position: string): void => {
      if (hasAdmins()) {
        addChanged(notificationId)
        awaitApplied(bucket, position)
      }
      addRecent(notificationId)
      schedule()
    },
    /** A mark-all was counted. It can affect any campaign. */
    anyChanged: (bucket: string, position: string): void => {
      if (!hasAdmins()) return
      for (const notificationId of recent.keys()) changed.add(notificationId)
      awaitApplied(bucket, position)
      schedule()
    },
    /** An admin connected: the next flush sends all recent campaigns, even if unchanged. */
    onConnect: (): void => {
      for (const notificationId of recent.keys()) {
        recent.set(notificationId, undefined)
        changed.add(notificationId)
      }
      schedule()
    },
    stop: async (): Promise<void> => {
      state.stop()
      clearTimeout(timer)
      await flushing
    },
  }
}
