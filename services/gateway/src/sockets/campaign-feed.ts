import { isDeepStrictEqual } from 'node:util'
import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'
import type { PortalServer } from './connections.ts'
import type { CampaignProgressReader } from './ports.ts'
import type { Applied } from './progress.ts'

/** The room of the admins' sockets. */
export const adminsRoom = 'admins'

const intervalMs = 250
/** Long enough for what belongs together to come together, too short to notice. */
const debounceMs = 20
const appliedTimeoutMs = 2_000
/** Sends that may still change; an admin who comes in is told of these, and a mark-all can touch any of them. */
const recentCampaigns = 20
/** Changes that wait to be told; beyond that the oldest are left to the admins' next look at the history. */
const changedCampaigns = 1_000
/** Read at once; the rest follows an interval later. */
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
 * Tells admins how their sends stand: each send at most once in an interval, always once more after its last change, and
 * only when a number is another. Nothing is read while no admin is connected.
 */
export const createCampaignFeed = ({ io, campaigns, inboxApplied, hasAdmins, logger }: CampaignFeedDeps) => {
  /** Most recent last, with what was told last. */
  const recent = new Map<NotificationId, CampaignProgress | undefined>()
  const changed = new Set<NotificationId>()
  /** How far the projection must be for the changes to be in what is read. */
  let awaitedPositions = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let lastFlushMs = 0
  const state = createRunningState()

  const noteRecent = (notificationId: NotificationId): void => {
    const told = recent.get(notificationId)
    recent.delete(notificationId)
    recent.set(notificationId, told)
    dropOldest(recent.keys(), recent.size - recentCampaigns, (oldest) => recent.delete(oldest))
  }

  const noteChanged = (notificationId: NotificationId): void => {
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
    // The projection is behind: what was read is true but not the last word.
    if (applied.includes(false)) notificationIds.forEach(noteChanged)
  }

  const flush = async (): Promise<void> => {
    const notificationIds = takeChanged()
    if (!hasAdmins()) return
    try {
      await emitChanged(notificationIds)
    } catch (error) {
      logger.error({ err: error }, 'The progress of sends could not be told; trying again')
      notificationIds.forEach(noteChanged)
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
    }, waitMs)
  }

  const awaitApplied = (bucket: string, position: string): void => {
    const before = awaitedPositions.get(bucket)
    if (before === undefined || before < position) awaitedPositions.set(bucket, position)
  }

  return {
    /** A send changed by a message of this bus key. */
    changed: (notificationId: NotificationId, bucket: string, position: string): void => {
      if (hasAdmins()) {
        noteChanged(notificationId)
        awaitApplied(bucket, position)
      }
      noteRecent(notificationId)
      schedule()
    },
    /** Part of what a learner marked as read has been counted; it may belong to any send. */
    anyChanged: (bucket: string, position: string): void => {
      if (!hasAdmins()) return
      for (const notificationId of recent.keys()) changed.add(notificationId)
      awaitApplied(bucket, position)
      schedule()
    },
    /** An admin came in: the next flush tells all recent sends, whatever was told before. */
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
