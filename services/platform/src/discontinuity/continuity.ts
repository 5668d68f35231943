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

const lookEveryMs = 1_000
const standsStill = 'a consumer stands still until it is rebuilt'

type Found = FoundDiscontinuity & Pick<Discontinuity, 'consumer' | 'epoch'>

/** What a process knows of the discontinuities of the portal. */
export type Continuity = {
  /** On record, and found here but not recorded yet. */
  open(): readonly Discontinuity[]
  /** What keeps a consumer that works in a read model of this epoch from going on. */
  discontinuityOf(consumer: string, epoch?: string): Discontinuity | undefined
  /** Holds for this process at once, and is recorded as soon as the engine can be reached. */
  record(found: Found): void
  /** The consumer has handled the whole log in a read model of this epoch: what is on record of another one has lapsed. */
  rebuilt(consumer: string, epoch: string): void
  /** Calls back after each change of what is open, until the answer is called. */
  onChange(listener: () => void): () => void
  /** Looks now at what is on record, records what is not, and waits for both. */
  refresh(): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly control: ReadStore & ProjectionWriter & Checkpoints
  /** The name of the process, for those who read the record. */
  readonly process: string
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>
}

const isSame = (one: Discontinuity, other: Pick<Discontinuity, 'consumer' | 'epoch'>): boolean =>
  one.consumer === other.consumer && one.epoch === other.epoch

const keepsFrom = ({ consumer, epoch }: Discontinuity, who: string, workingIn: string | undefined): boolean =>
  consumer === wholeLog || (consumer === who && (epoch === undefined || epoch === workingIn))

/** One watch for all consumers of a process: what one of them finds holds at once for the others. */
export const watchContinuity = async ({ control, process, logger }: Options): Promise<Continuity> => {
  const kept: DiscontinuityStore = createDiscontinuityStore(control)
  const listeners = new Set<() => void>()
  let onRecord: readonly Discontinuity[] = []
  let seen: { readonly epoch: string; readonly version: string | undefined } | undefined
  const unrecorded = new Map<string, Discontinuity>()
  /** Lapsed, and to be taken off the record. */
  const lapsed = new Set<Discontinuity>()
  let isFailing = false
  let looking: Promise<void> | undefined

  /** Looked up at each read of a read model, so it is kept. */
  let all: readonly Discontinuity[] = []

  const notify = () => {
    all = [...onRecord.filter(({ consumer }) => !unrecorded.has(consumer)), ...unrecorded.values()]
    for (const listener of listeners) listener()
  }

  const load = async (): Promise<void> => {
    const version = await discontinuitiesVersion(control)
    const { epoch } = control
    if (seen?.epoch === epoch && seen.version === version) return
    const found = await kept.all()
    // The engine was emptied or went back, and the record with it. What this process knows is recorded again.
    const hasGoneBack = seen !== undefined && (seen.epoch !== epoch || (version ?? '') < (seen.version ?? ''))
    if (hasGoneBack) {
      for (const known of onRecord) if (!found.some((one) => isSame(one, known))) unrecorded.set(known.consumer, known)
    }
    seen = { epoch, version }
    onRecord = found
    notify()
  }

  const recordAll = async (): Promise<void> => {
    for (const found of unrecorded.values()) {
      const known = await kept.record(found)
      if (unrecorded.get(found.consumer) === found) unrecorded.delete(found.consumer)
      onRecord = [...onRecord.filter(({ consumer }) => consumer !== known.consumer), known]
      notify()
    }
  }

  const clearLapsed = async (): Promise<void> => {
    const past = all.filter((one) => [...lapsed].some((other) => isSame(one, other)))
    if (past.length > 0) await kept.clear(past.map(({ consumer }) => consumer))
    lapsed.clear()
    if (past.length === 0) return
    for (const { consumer } of past) unrecorded.delete(consumer)
    onRecord = onRecord.filter((one) => !past.includes(one))
    for (const { consumer } of past) logger.info({ consumer }, 'a consumer was rebuilt and is complete again')
    notify()
  }

  const lookOnce = async (): Promise<void> => {
    try {
      await load()
      await recordAll()
      await clearLapsed()
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'discontinuities cannot be looked up or recorded, retrying')
      isFailing = true
    }
  }

  /** A look that begins after the call. */
  const look = async (): Promise<void> => {
    await looking
    looking ??= lookOnce().finally(() => (looking = undefined))
    await looking
  }

  await lookOnce()
  const timer = setInterval(() => void look(), lookEveryMs)

  return {
    open: () => all,
    discontinuityOf: (consumer, epoch) => all.find((one) => keepsFrom(one, consumer, epoch)),
    record(found) {
      if (all.some((one) => isSame(one, found))) return
      const noticed = { ...found, since: new Date().toISOString(), noticedBy: process }
      unrecorded.set(found.consumer, noticed)
      const { consumer, cause } = found
      logger.error({ consumer, cause, discontinuity: describeDiscontinuity(noticed) }, standsStill)
      notify()
      void look()
    },
    rebuilt(consumer, epoch) {
      const past = all.filter((one) => one.consumer === consumer && one.epoch !== undefined && one.epoch !== epoch)
      if (past.length === 0) return
      for (const one of past) lapsed.add(one)
      void look()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh: look,
    async close() {
      clearInterval(timer)
      // What could not be recorded yet has its last chance now.
      if (unrecorded.size > 0) await look()
      await looking
    },
  }
}

/** Health, metrics and the log of a process say these lines. */
export const describeDiscontinuities = (continuity: Pick<Continuity, 'open'>): readonly string[] =>
  continuity.open().map(describeDiscontinuity)

/** For a consumer that runs without a record: what it finds holds for as long as it runs. */
export const inMemoryContinuity = (logger: Pick<Logger, 'error'>): Continuity => {
  const found = new Map<string, Discontinuity>()
  const listeners = new Set<() => void>()
  return {
    open: () => [...found.values()],
    discontinuityOf: (consumer, epoch) => [...found.values()].find((one) => keepsFrom(one, consumer, epoch)),
    record(one) {
      if (found.has(one.consumer) && found.get(one.consumer)?.epoch === one.epoch) return
      const noticed = { ...one, since: new Date().toISOString(), noticedBy: 'this process' }
      found.set(one.consumer, noticed)
      logger.error({ discontinuity: describeDiscontinuity(noticed) }, standsStill)
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

/** Puts on record what an event store says of itself. It is open before the place of the records is, so it may have to wait. */
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
