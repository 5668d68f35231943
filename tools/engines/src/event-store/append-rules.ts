import type { ProposedRecord, RecordLog } from './record-log.ts'

/** -1 means 'no stream'. */
export type Expected = number | 'any' | 'stream-exists'

export type AppendAnswer =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  | { readonly kind: 'too-large'; readonly maxAppendBytes: number }
  /** The append was dropped, and its outcome is unknown. */
  | { readonly kind: 'timed-out' }

/** The value of EVENTSTORE_MAX_APPEND_SIZE in docker-compose.yml. EventStoreDB's default is 1 MiB, including event types. */
const maxAppendBytes = 4 * 1024 * 1024

const maxCachedIds = 1_000

const sizeOf = ({ type, data, metadata }: ProposedRecord): number => data.length + metadata.length + 2 * type.length

/**
 * Decides appends like EventStoreDB, whose idempotence differs from the port. An append at an earlier revision is a repetition if
 * the next events have its ids. An append at the last revision is never checked. For 'any', only the newest ids are cached.
 */
export const appendRules = (log: RecordLog) => {
  const recent = new Map<string, { readonly stream: string; readonly revision: number }>()

  const cacheId = (id: string, stream: string, revision: number): void => {
    recent.delete(id)
    recent.set(id, { stream, revision })
    const oldest = recent.keys().next()
    if (recent.size > maxCachedIds && oldest.done !== true) recent.delete(oldest.value)
  }

  const writtenAt = (stream: string, revision: number): AppendAnswer | undefined => {
    const record = log.streamForwards(stream, revision, 1)[0]
    if (record?.revision !== revision) return undefined
    return { kind: 'written', revision, position: record.position }
  }

  /** The answer to a repetition, undefined for a new append, or 'corrupt' if only its first ids repeat. */
  const findRepetition = (
    stream: string,
    expected: number | 'any',
    records: readonly ProposedRecord[],
  ): AppendAnswer | 'corrupt' | undefined => {
    let last = -1
    for (const [index, { id }] of records.entries()) {
      const known = recent.get(id)
      const isRepeated =
        expected === 'any'
          ? known?.stream === stream
          : log.streamForwards(stream, expected + 1 + index, 1)[0]?.id === id
      if (!isRepeated) return index === 0 ? undefined : 'corrupt'
      last = expected === 'any' ? (known?.revision ?? -1) : expected + 1 + index
    }
    return writtenAt(stream, last)
  }

  /** Call only inside a transaction of the log. */
  const append = (stream: string, expected: Expected, records: readonly ProposedRecord[]): AppendAnswer => {
    const state = log.streamState(stream)
    if (state.isTombstoned) return { kind: 'stream-deleted' }
    if (records.reduce((sum, record) => sum + sizeOf(record), 0) > maxAppendBytes) {
      return { kind: 'too-large', maxAppendBytes }
    }
    const wrong: AppendAnswer = { kind: 'wrong-expected-version', current: state.last }
    const isSoftDeleted = state.last >= 0 && state.startsAt > state.last
    if (expected === 'stream-exists' && (state.last === -1 || isSoftDeleted)) return wrong
    if (expected === 'any' || (typeof expected === 'number' && expected < state.last)) {
      const answer = findRepetition(stream, expected, records)
      if (answer === 'corrupt') return wrong
      if (answer !== undefined) return answer
      if (expected !== 'any' && !(expected === -1 && isSoftDeleted)) return wrong
    }
    if (typeof expected === 'number' && expected > state.last) return wrong
    let revision = state.last
    let position = -1
    for (const record of records) {
      revision += 1
      position = log.write(stream, revision, record)
      cacheId(record.id, stream, revision)
    }
    log.setStreamState(stream, { ...state, last: revision })
    return { kind: 'written', revision, position }
  }

  return { append }
}
