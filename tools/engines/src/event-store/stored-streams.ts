import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { appendRules, type AppendAnswer, type Expected } from './append-rules.ts'
import { openRecordLog, type ProposedRecord, type RecordLog } from './record-log.ts'

type Waiting = { decide(): AppendAnswer; resolve(answer: AppendAnswer): void; reject(error: unknown): void }

export type StoredStreams = {
  readonly log: RecordLog
  append(stream: string, expected: Expected, records: readonly ProposedRecord[]): Promise<AppendAnswer>
  /** Delays the answers of appends after recording them, so that the appends stay in flight. */
  delayAppends(ms: number): void
  /** Deletes a stream: 'delete' hides its current events, 'tombstone' closes it permanently. */
  remove(stream: string, expected: Expected, how: 'delete' | 'tombstone'): Promise<AppendAnswer>
  /** Resolves when the log has grown or the signal aborts. */
  waitForGrowth(signal: AbortSignal): Promise<void>
  close(): void
}

/** EventStoreDB drops a repetition of an in-flight append, and reports a timeout after this time. */
const duplicateTimeoutMs = 2_000

const systemRecord = (type: string, data = '{}'): ProposedRecord => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data: Buffer.from(data),
  metadata: new Uint8Array(),
})

/** The log with EventStoreDB's rules. Appends that arrive together share a transaction, as in EventStoreDB's writer. */
export const openStoredStreams = (folder: string | undefined, users: readonly string[] = []): StoredStreams => {
  const log = openRecordLog(folder)
  const rules = appendRules(log)
  const waiters = new Set<() => void>()
  let waiting: Waiting[] = []

  // A new EventStoreDB has system events in $all, which readers have to skip.
  if (log.forwards(0, 1).length === 0) {
    log.transaction(() => {
      rules.append('$user-admin', 'any', [systemRecord('$UserCreated')])
      rules.append('$stats-127.0.0.1:2113', 'any', [systemRecord('$statsCollected'), systemRecord('$statsCollected')])
    })
  }

  log.transaction(() => {
    for (const user of users) {
      const stream = `$user-${user}`
      if (log.streamState(stream).last === -1) rules.append(stream, 'any', [systemRecord('$UserCreated')])
    }
  })

  const commit = (): void => {
    const group = waiting
    waiting = []
    try {
      const answers = log.transaction(() => group.map((one) => one.decide()))
      answers.forEach((answer, n) => group[n]?.resolve(answer))
    } catch (error) {
      for (const one of group) one.reject(error)
    }
    for (const wake of waiters) wake()
  }
  const inTransaction = (decide: () => AppendAnswer): Promise<AppendAnswer> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ decide, resolve, reject }) === 1) setImmediate(commit)
    })

  const removed = (stream: string, expected: Expected, how: 'delete' | 'tombstone'): AppendAnswer => {
    const state = log.streamState(stream)
    if (state.isTombstoned) return { kind: 'stream-deleted' }
    const fits = expected === 'any' || (expected === 'stream-exists' ? state.last >= 0 : expected === state.last)
    if (!fits) return { kind: 'wrong-expected-version', current: state.last }
    const isTombstoned = how === 'tombstone'
    const target = isTombstoned ? stream : `$$${stream}`
    const position = log.write(
      target,
      isTombstoned ? null : log.streamState(target).last + 1,
      // A soft delete truncates the stream before the highest revision.
      isTombstoned ? systemRecord('$streamDeleted') : systemRecord('$metadata', '{"$tb":9223372036854775807}'),
    )
    if (!isTombstoned)
      log.setStreamState(target, { ...log.streamState(target), last: log.streamState(target).last + 1 })
    log.setStreamState(stream, { last: state.last, startsAt: state.last + 1, isTombstoned })
    return { kind: 'written', revision: state.last, position }
  }

  let answerDelayMs = 0
  const inFlight = new Set<string>()
  const append = async (
    stream: string,
    expected: Expected,
    records: readonly ProposedRecord[],
  ): Promise<AppendAnswer> => {
    const name = `${stream} ${records[0]?.id}`
    if (inFlight.has(name)) {
      await sleep(duplicateTimeoutMs)
      return { kind: 'timed-out' }
    }
    inFlight.add(name)
    try {
      const answer = await inTransaction(() => rules.append(stream, expected, records))
      if (answerDelayMs > 0) await sleep(answerDelayMs)
      return answer
    } finally {
      inFlight.delete(name)
    }
  }

  return {
    log,
    append,
    delayAppends: (ms) => {
      answerDelayMs = ms
    },
    remove: (stream, expected, how) => inTransaction(() => removed(stream, expected, how)),
    waitForGrowth: (signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          waiters.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        if (signal.aborted) return resolve()
        waiters.add(wake)
        signal.addEventListener('abort', wake)
      }),
    close: () => log.close(),
  }
}
