import type { CatalogChanged } from '@portal/contracts/catalog/socket'
import type { ProgramId } from '@portal/contracts/shared/ids'

/** A programme is told at most once in it, as it is by then: an admin who types and saves in haste floods nobody. */
const intervalMs = 200
/** Programmes that wait to be told; beyond that the oldest are left to the clients' next look at the catalogue. */
const waitingPrograms = 1_000
/** What is told at once, well below what may wait for a client that reads slowly; the rest follows an interval later. */
const messagesPerFlush = 20
const charsPerFlush = 1024 * 1024

type CatalogFeedDeps = {
  /** Tells all who are connected to this gateway. */
  tellAll(message: CatalogChanged): void
}

const programOf = (message: CatalogChanged): ProgramId =>
  message.kind === 'program-saved' ? message.program._id : message.programId

/**
 * Tells everybody what became of the catalogue. The bus says it whole, so nothing is read. The first change goes out at once; of
 * those that come within an interval the last of each programme counts.
 */
export const createCatalogFeed = ({ tellAll }: CatalogFeedDeps) => {
  /** In the order of the first change that has not been told: a new programme is told of before those added after it. */
  const waiting = new Map<ProgramId, CatalogChanged>()
  let timer: NodeJS.Timeout | undefined
  let lastFlushMs = -intervalMs
  let stopped = false

  /** At least one, however large it is. */
  const take = (): readonly CatalogChanged[] => {
    const taken: CatalogChanged[] = []
    let chars = 0
    for (const [programId, message] of waiting) {
      chars += JSON.stringify(message).length
      if (taken.length > 0 && (chars > charsPerFlush || taken.length === messagesPerFlush)) break
      taken.push(message)
      waiting.delete(programId)
    }
    return taken
  }

  const flush = (): void => {
    timer = undefined
    lastFlushMs = performance.now()
    for (const message of take()) tellAll(message)
    schedule()
  }

  const schedule = (): void => {
    if (stopped || timer || waiting.size === 0) return
    timer = setTimeout(flush, Math.max(0, lastFlushMs + intervalMs - performance.now()))
  }

  return {
    changed: (message: CatalogChanged): void => {
      waiting.set(programOf(message), message)
      const [oldest] = waiting.keys()
      if (waiting.size > waitingPrograms && oldest !== undefined) waiting.delete(oldest)
      schedule()
    },
    stop: (): void => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
export type CatalogFeed = ReturnType<typeof createCatalogFeed>
