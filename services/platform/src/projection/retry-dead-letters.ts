import type { Logger } from 'pino'
import { yieldToEventLoop } from '../async/event-loop-budget.ts'
import type { Entry, ReadStore } from '../read-model/port.ts'
import { attemptsOnConflict } from './partition-applier.ts'
import { applyWithRetry, retryWhileFenced, trackReads } from './apply-with-retry.ts'
import {
  type DeadLetter,
  deadLetterFrom,
  deadLetterList,
  loadDeadLetterHead,
  partitionsWithDeadLetters,
  reasonOf,
  removeDeadLetter,
} from './dead-letters.ts'
import type { Projection, ProjectionData } from './projection.ts'

const pageSize = 100

async function* entriesOfPartition(readModel: ReadStore, projection: string, partition: string): AsyncGenerator<Entry> {
  let from = 0
  for (;;) {
    const page = await readModel.range(partition, deadLetterList(projection), {
      from,
      order: 'ascending',
      limit: pageSize,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    from = last.score + 1
  }
}

async function* allDeadLetters(readModel: ReadStore, projection: string): AsyncGenerator<DeadLetter> {
  for (const partition of await partitionsWithDeadLetters(readModel, projection)) {
    for await (const entry of entriesOfPartition(readModel, projection, partition))
      yield deadLetterFrom(partition, entry)
  }
}

/**
 * Returns a higher position before the next message: ':00' < ':00~000001' < ':01'. A retry must move the position, so that concurrent
 * retries, or a retry and the running projection, conflict.
 */
const advance = (position: string): string => {
  const [messagePosition = '', retries = '0'] = position.split('~')
  return `${messagePosition}~${String(Number(retries) + 1).padStart(6, '0')}`
}

type Retried = 'applied' | 'gone' | { readonly error: unknown }

type RetryOptions = {
  readonly projection: Projection
  readonly readModel: ProjectionData
  readonly logger: Logger
  /** Maximum number of dead letters to retry. */
  readonly limit: number
}

type RetryReport = {
  readonly applied: number
  /** The dead letters that failed again. Later ones of their keys have not been retried. */
  readonly failed: readonly DeadLetter[]
}

/**
 * Retries dead letters, oldest first. If one fails again, later ones of its key keep waiting. Safe while the projection runs, in this
 * process or another.
 */
export const retryDeadLetters = async ({
  projection,
  readModel,
  logger,
  limit,
}: RetryOptions): Promise<RetryReport> => {
  const { name } = projection
  const reads = trackReads(readModel)

  const retryOne = async ({ partition, envelope }: DeadLetter): Promise<Retried> => {
    for (let tries = 0; tries < attemptsOnConflict; tries++) {
      const expected = await readModel.position(name, partition)
      const head = await loadDeadLetterHead(readModel, name, partition)
      const isDeadLetter = (await readModel.entry(partition, deadLetterList(name), envelope.position)) !== undefined
      if (!isDeadLetter || expected === undefined) return 'gone'
      const { writes } = removeDeadLetter(name, head, envelope)
      const position = advance(expected)
      const outcome = await applyWithRetry({
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

  const failed: DeadLetter[] = []
  const blocked = new Set<string>()
  let applied = 0
  for await (const letter of allDeadLetters(readModel, name)) {
    if (applied + failed.length >= limit) break
    const key = JSON.stringify([letter.partition, letter.envelope.key])
    if (blocked.has(key)) continue
    await yieldToEventLoop()
    const outcome = await retryWhileFenced(() => retryOne(letter))
    if (outcome === 'applied') applied++
    else if (outcome !== 'gone') {
      blocked.add(key)
      failed.push({ ...letter, reason: reasonOf(outcome.error) })
    }
  }
  logger.info({ projection: name, applied, failed: failed.length }, 'dead letters retried')
  return { applied, failed }
}
