import type { Logger } from 'pino'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import {
  type DiscontinuityStore,
  discontinuitiesVersion,
  type Discontinuity,
  type FoundDiscontinuity,
  createDiscontinuityStore,
  wholeLog,
  describeDiscontinuity,
} from './discontinuity.ts'

const pollEveryMs = 1_000
const haltedMessage = 'consumer halted until it is rebuilt'

type Found = FoundDiscontinuity & Pick<Discontinuity, 'consumer' | 'epoch'>

/** The discontinuities of the portal that this process knows. */
export type Continuity = {
  /** The recorded ones, and those that this process has found but not recorded yet. */
  open(): readonly Discontinuity[]
  /** The discontinuity that halts a consumer whose read model has this epoch. */
  discontinuityOf(consumer: string, epoch?: string): Discontinuity | undefined
  /** Applies in this process at once, and is recorded as soon as the engine is available. */
  record(found: Found): void
  /** The consumer has caught up in a read model of this epoch. Clears its records about other epochs. */
  rebuilt(consumer: string, epoch: string): void
  /** Calls back after each change of `open()`. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void
  /** Loads the records and writes those that are still missing. */
  refresh(): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly control: ReadStore & ProjectionWriter & Checkpoints
  /** The name of this process, stored with each record. */
  readonly process: string
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>
}

const isSame = (one: Discontinuity, other: Pick<Discontinuity, 'consumer' | 'epoch'>): boolean =>
  one.consumer === other.consumer && one.epoch === other.epoch

const concerns = (found: Discontinuity, consumer: string, epoch: string | undefined): boolean =>
  found.consumer === wholeLog || (found.consumer === consumer && (found.epoch === undefined || found.epoch === epoch))

/** Shared by all consumers of a process, so a discontinuity that one of them finds applies to the others at once. */
export const watchContinuity = async ({ control, process, logger }: Options): Promise<Continuity> => {
  const store: DiscontinuityStore = createDiscontinuityStore(control)
  const listeners = new Set<() => void>()
  let recorded: readonly Discontinuity[] = []
  let seen: { readonly epoch: string; readonly version: string | undefined } | undefined
  const unrecorded = new Map<string, Discontinuity>()
  /** Outdated records that the next poll clears. */
  const outdated = new Set<Discontinuity>()
  let isFailing = false
  let polling: Promise<void> | undefined

  /** Cached, because each read of a read model checks it. */
  let all: readonly Discontinuity[] = []

  const notify = () => {
    all = [...recorded.filter(({ consumer }) => !unrecorded.has(consumer)), ...unrecorded.values()]
    for (const listener of listeners) listener()
  }

  const load = async (): Promise<void> => {
    const version = await discontinuitiesVersion(control)
    const { epoch } = control
    if (seen?.epoch === epoch && seen.version === version) return
    const found = await store.all()
    // The engine lost the records. Record again the ones that this process knows.
    const lostRecords = seen !== undefined && (seen.epoch !== epoch || (version ?? '') < (seen.version ?? ''))
    if (lostRecords) {
      for (const known of recorded) if (!found.some((one) => isSame(one, known))) unrecorded.set(known.consumer, known)
    }
    seen = { epoch, version }
    recorded = found
    notify()
  }

  const recordAll = async (): Promise<void> => {
    for (const found of unrecorded.values()) {
      const known = await store.record(found)
      if (unrecorded.get(found.consumer) === found) unrecorded.delete(found.consumer)
      recorded = [...recorded.filter(({ consumer }) => consumer !== known.consumer), known]
      notify()
    }
  }

  const clearOutdated = async (): Promise<void> => {
    const past = all.filter((one) => [...outdated].some((other) => isSame(one, other)))
    if (past.length > 0) await store.clear(past.map(({ consumer }) => consumer))
    outdated.clear()
    if (past.length === 0) return
    for (const { consumer } of past) unrecorded.delete(consumer)
    recorded = recorded.filter((one) => !past.includes(one))
    for (const { consumer } of past) logger.info({ consumer }, 'consumer rebuilt, discontinuity cleared')
    notify()
  }

  const pollOnce = async (): Promise<void> => {
    try {
      await load()
      await recordAll()
      await clearOutdated()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'discontinuities cannot be read or recorded, retrying')
      isFailing = true
    }
  }

  /** Polls after any poll that is already running, because that one may have read older records. */
  const refresh = async (): Promise<void> => {
    await polling
    polling ??= pollOnce().finally(() => (polling = undefined))
    await polling
  }

  await pollOnce()
  const timer = setInterval(() => void refresh(), pollEveryMs)

  return {
    open: () => all,
    discontinuityOf: (consumer, epoch) => all.find((one) => concerns(one, consumer, epoch)),
    record(found) {
      if (all.some((one) => isSame(one, found))) return
      const noticed = { ...found, since: new Date().toISOString(), noticedBy: process }
      unrecorded.set(found.consumer, noticed)
      const { consumer, cause } = found
      logger.error({ consumer, cause, discontinuity: describeDiscontinuity(noticed) }, haltedMessage)
      notify()
      void refresh()
    },
    rebuilt(consumer, epoch) {
      const past = all.filter((one) => one.consumer === consumer && one.epoch !== undefined && one.epoch !== epoch)
      if (past.length === 0) return
      for (const one of past) outdated.add(one)
      void refresh()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh,
    async close() {
      clearInterval(timer)
      // The last attempt to record what is still unrecorded.
      if (unrecorded.size > 0) await refresh()
      await polling
    },
  }
}

/** One line for each open discontinuity, as in health. */
export const describeDiscontinuities = (continuity: Pick<Continuity, 'open'>): readonly string[] =>
  continuity.open().map(describeDiscontinuity)

/** Tracks the log for a consumer without stored records: a discontinuity lasts until the consumer stops. */
export const inMemoryContinuity = (logger: Pick<Logger, 'error'>): Continuity => {
  const found = new Map<string, Discontinuity>()
  const listeners = new Set<() => void>()
  return {
    open: () => [...found.values()],
    discontinuityOf: (consumer, epoch) => [...found.values()].find((one) => concerns(one, consumer, epoch)),
    record(one) {
      if (found.has(one.consumer) && found.get(one.consumer)?.epoch === one.epoch) return
      const noticed = { ...one, since: new Date().toISOString(), noticedBy: 'this process' }
      found.set(one.consumer, noticed)
      logger.error({ discontinuity: describeDiscontinuity(noticed) }, haltedMessage)
      for (const listener of listeners) listener()
    },
    rebuilt: () => undefined,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh: async () => undefined,
    close: async () => undefined,
  }
}

/** Records that the event store is older. The store opens before the records can be written, so a report waits for `reportTo`. */
export const createOlderLogReporter = () => {
  let continuity: Pick<Continuity, 'record'> | undefined
  let waiting: string | undefined
  const onOlder = (missing: string): void => {
    if (continuity === undefined) waiting = missing
    else continuity.record({ consumer: wholeLog, cause: 'log-older', missing })
  }
  return {
    onOlder,
    reportTo(opened: Pick<Continuity, 'record'>): void {
      continuity = opened
      if (waiting !== undefined) onOlder(waiting)
    },
  }
}
