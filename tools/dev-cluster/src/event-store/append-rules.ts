import type { ProposedRecord, RecordLog } from './record-log.ts'

/** -1 stands for 'no stream'. */
export type Expected = number | 'any' | 'stream-exists'

export type AppendAnswer =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  | { readonly kind: 'too-large'; readonly maxAppendBytes: number }
  /** It was dropped; nothing is known of its outcome. */
  | { readonly kind: 'timed-out' }

/** As the compose file sets EVENTSTORE_MAX_APPEND_SIZE; EventStoreDB's own default is 1 MiB, types included. */
const maxAppendBytes = 4 * 1024 * 1024

const maxCachedIds = 1_000

const sizeOf = ({ type, data, metadata }: ProposedRecord): number => data.length + metadata.length + 2 * type.length

/**
 * Who may append, as EventStoreDB judges it. Its idempotence is not that of our port: an append at a revision that has been
 * passed is a repetition when the very next events have its ids; one at the last revision is never looked at; with
 * 'any' only the newest ids are remembered.
 */
export const appendRules = (log: RecordLog) => {
  const recent = new Map<string, { readonly stream: string; readonly revision: number }>()

  const remember = (id: string, stream: string, revision: number): void => {
    recent.delete(id)
    recent.set(id, { stream, revision })
    const oldest = recent.keys().next()
    if (recent.size > maxCachedIds && oldest.done !== true) recent.delete(oldest.value)
  }

  const at = (stream: string, revision: number): AppendAnswer | undefined => {
    const record = log.streamForwards(stream, revision, 1)[0]
    if (record?.revision !== revision) return undefined
    return { kind: 'written', revision, position: record.position }
  }

  /** The answer to a repetition; undefined when it is none; 'corrupt' when only its first ids repeat. */
  const repetition = (
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
    return at(stream, last)
  }

  /** Only inside a transaction of the log. */
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
      const answer = repetition(stream, expected, records)
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
      remember(record.id, stream, revision)
    }
    log.setStreamState(stream, { ...state, last: revision })
    return { kind: 'written', revision, position }
  }

  return { append }
}
