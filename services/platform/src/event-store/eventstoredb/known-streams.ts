import { LRUCache } from 'lru-cache'

/** What this process knows of a stream: the ids of all its events up to `last`. Others may have appended since. */
export type KnownStream = {
  /** -1 without events. */
  readonly last: number
  revisionOf(id: string): number | undefined
  /** Takes note of the event behind the last one; others change nothing. */
  learn(revision: number, id: string): void
}

export type KnownStreams = {
  get(stream: string): KnownStream | undefined
  /** The same, begun when there is none. Good to use also after it has been dropped. */
  begin(stream: string): KnownStream
}

/** The streams that were used last, with so many ids in all. One that has more by itself is read anew for each append. */
export const knownStreams = (mostIds: number): KnownStreams => {
  type Held = { readonly known: KnownStream; readonly ids: ReadonlyMap<string, number> }
  const held = new LRUCache<string, Held>({ maxSize: mostIds, sizeCalculation: ({ ids }) => Math.max(1, ids.size) })

  const begin = (stream: string): KnownStream => {
    const ids = new Map<string, number>()
    let last = -1
    const known: KnownStream = {
      get last() {
        return last
      },
      revisionOf: (id) => ids.get(id),
      learn: (revision, id) => {
        if (revision !== last + 1) return
        last = revision
        ids.set(id, revision)
        // Its size has changed.
        if (held.peek(stream)?.known === known) held.set(stream, { known, ids })
      },
    }
    held.set(stream, { known, ids })
    return known
  }
  return {
    get: (stream) => held.get(stream)?.known,
    begin: (stream) => held.get(stream)?.known ?? begin(stream),
  }
}
