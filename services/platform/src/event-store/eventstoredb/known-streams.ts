import { LRUCache } from 'lru-cache'

export type KnownEvent = { readonly revision: number; readonly id: string }

/** What this process knows of a stream: the ids of its newest events, up to `last`. Others may have appended since. */
export type KnownStream = {
  /** -1 without events. */
  readonly last: number
  /** Of the event there. */
  readonly lastId: string | undefined
  revisionOf(id: string): number | undefined
  /** Takes note of the event behind the last one; others change nothing. */
  learn(revision: number, id: string): void
}

export type KnownStreams = {
  get(stream: string): KnownStream | undefined
  /** In place of what was known: its newest events, oldest first. Good to use also after it has been dropped. */
  begin(stream: string, newest?: readonly KnownEvent[]): KnownStream
  forgetAll(): void
}

export type KnownLimits = {
  /** Of all streams together; those that were used last stay. */
  readonly ids: number
  readonly idsOfStream: number
}

export const knownStreams = (most: KnownLimits): KnownStreams => {
  type Held = { readonly known: KnownStream; readonly ids: ReadonlyMap<string, number> }
  const held = new LRUCache<string, Held>({ maxSize: most.ids, sizeCalculation: ({ ids }) => Math.max(1, ids.size) })

  return {
    get: (stream) => held.get(stream)?.known,
    begin: (stream, newest = []) => {
      // In the order of their revisions, as a map keeps them.
      const ids = new Map<string, number>()
      let last = (newest[0]?.revision ?? 0) - 1
      let lastId: string | undefined
      const known: KnownStream = {
        get last() {
          return last
        },
        get lastId() {
          return lastId
        },
        revisionOf: (id) => ids.get(id),
        learn: (revision, id) => {
          if (revision !== last + 1) return
          last = revision
          lastId = id
          ids.set(id, revision)
          const oldest = ids.keys().next()
          if (ids.size > most.idsOfStream && oldest.done !== true) ids.delete(oldest.value)
          // Its size has changed.
          if (held.peek(stream)?.known === known) held.set(stream, { known, ids })
        },
      }
      held.set(stream, { known, ids })
      for (const { revision, id } of newest) known.learn(revision, id)
      return known
    },
    forgetAll: () => held.clear(),
  }
}
