import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { breathe } from '../bus/time-slice.ts'
import type { Entry, ReadModel } from '../read-model/port.ts'
import { ReadModelSealedError } from '../read-model/sealed.ts'
import { attemptsOnConflict } from './apply-in-partition.ts'
import { attempt } from './attempt.ts'
import { loadParkingHead, type Parked, parkedFrom, parkedList, reasonOf, unpark } from './parking.ts'
import { partitionsWithParking } from './parking-register.ts'
import type { Projection } from './projection.ts'
import { watchReads } from './watch-reads.ts'

const pageSize = 100

async function* parkedEntries(readModel: ReadModel, projection: string, partition: string): AsyncGenerator<Entry> {
  let from = 0
  for (;;) {
    const page = await readModel.range(partition, parkedList(projection), { from, order: 'ascending', limit: pageSize })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    from = last.score + 1
  }
}

async function* allParked(readModel: ReadModel, projection: string): AsyncGenerator<Parked> {
  for (const partition of await partitionsWithParking(readModel, projection)) {
    for await (const entry of parkedEntries(readModel, projection, partition)) yield parkedFrom(partition, entry)
  }
}

/** What is parked, per partition in the order in which it will be tried again; at most `limit`. */
export const listParked = async (
  readModel: ReadModel,
  projection: string,
  limit: number,
): Promise<readonly Parked[]> => {
  const listed: Parked[] = []
  for await (const parked of allParked(readModel, projection)) {
    if (listed.length >= limit) break
    listed.push(parked)
  }
  return listed
}

/**
 * Moves a position on without passing any message: ':00' < ':00~000001' < ':01'. A message that is applied late must
 * move it, or two who retry at once, or a retry and the runner, would not notice each other.
 */
const nudged = (position: string): string => {
  const [passed = '', nudges = '0'] = position.split('~')
  return `${passed}~${String(Number(nudges) + 1).padStart(6, '0')}`
}

const waitsForSwitch = 50
const waitForSwitchMs = 200

/** A seal is followed by a switch within a moment, or lifted. */
const unlessSealed = async <T>(attemptIt: () => Promise<T>): Promise<T> => {
  for (let waits = 0; ; waits++) {
    try {
      return await attemptIt()
    } catch (error) {
      if (!(error instanceof ReadModelSealedError) || waits >= waitsForSwitch) throw error
      await delay(waitForSwitchMs)
    }
  }
}

type Retried = 'applied' | 'gone' | { readonly error: unknown }

export type RetryOptions = {
  readonly projection: Projection
  readonly readModel: ReadModel
  readonly logger: Logger
  /** How many messages to try at most. */
  readonly limit: number
}

export type RetryReport = {
  readonly applied: number
  /** The messages that failed again; those behind them have not been tried. */
  readonly failed: readonly Parked[]
}

/**
 * Tries parked messages again, oldest first; one that fails again keeps those of its key behind it waiting. Safe while the
 * projection runs, here or elsewhere.
 */
export const retryParked = async ({ projection, readModel, logger, limit }: RetryOptions): Promise<RetryReport> => {
  const { name } = projection
  const reads = watchReads(readModel)

  const retryOne = async ({ partition, envelope }: Parked): Promise<Retried> => {
    for (let tries = 0; tries < attemptsOnConflict; tries++) {
      const expected = await readModel.position(name, partition)
      const head = await loadParkingHead(readModel, name, partition)
      const isParked = (await readModel.entry(partition, parkedList(name), envelope.position)) !== undefined
      if (!isParked || expected === undefined) return 'gone'
      const { writes } = unpark(name, head, envelope)
      const position = nudged(expected)
      const outcome = await attempt({
        projection,
        readModel,
        reads,
        partition,
        envelope,
        expected,
        position,
        alongside: writes,
      })
      if (outcome.kind === 'committed') return 'applied'
      if (outcome.kind === 'poison') return { error: outcome.error }
    }
    throw new Error(`${name} in '${partition}': ${attemptsOnConflict} conflicts in a row`)
  }

  const failed: Parked[] = []
  const blocked = new Set<string>()
  let applied = 0
  for await (const parked of allParked(readModel, name)) {
    if (applied + failed.length >= limit) break
    const place = JSON.stringify([parked.partition, parked.envelope.key])
    if (blocked.has(place)) continue
    await breathe()
    const outcome = await unlessSealed(() => retryOne(parked))
    if (outcome === 'applied') applied++
    else if (outcome !== 'gone') {
      blocked.add(place)
      failed.push({ ...parked, reason: reasonOf(outcome.error) })
    }
  }
  logger.info({ projection: name, applied, failed: failed.length }, 'Parked messages tried again')
  return { applied, failed }
}
