import type { Json } from '../../event-store/port.ts'
import type { Entry, Write } from '../port.ts'

/** What is known of one partition, and what of it is not written yet. */
export type PartitionBuffer = {
  /** Undefined where nothing is known; 'absent' where it is known that there is nothing. */
  document(collection: string, key: string): { readonly value: unknown } | 'absent' | undefined
  entry(list: string, member: string): Entry | 'absent' | undefined
  /** What was read of an entry elsewhere, as the writes that wait leave it. */
  afterTrims(list: string, entry: Entry | undefined): Entry | undefined
  /** Takes note of what was read. */
  know(collection: string, key: string, value: unknown): void
  apply(writes: readonly Write[]): void
  /** How many writes wait. */
  readonly waiting: number
  /** How many documents and entries are held. */
  readonly rows: number
  /** The writes that wait, in an order that gives the same; they no longer wait. */
  take(): readonly Write[]
}

const keyOf = (collection: string, key: string): string => `${collection}\0${key}`

/**
 * Of many writes to one document only the last has to be made. Writes to lists keep their order, because a score is free for
 * another member only once its own is gone.
 */
export const createPartitionBuffer = (): PartitionBuffer => {
  const documents = new Map<string, { readonly value: unknown } | 'absent'>()
  const lists = new Map<string, Map<string, Entry | 'absent'>>()
  let entries = 0
  let documentWrites = new Map<string, Write>()
  let listWrites: Write[] = []
  let trims = new Map<string, number>()

  const membersOf = (list: string): Map<string, Entry | 'absent'> => {
    let members = lists.get(list)
    if (!members) lists.set(list, (members = new Map()))
    return members
  }
  const setEntry = (list: string, member: string, entry: Entry | 'absent'): void => {
    const members = membersOf(list)
    if (!members.has(member)) entries += 1
    members.set(member, entry)
  }
  const trim = (list: string, upToScore: number): void => {
    for (const [member, entry] of membersOf(list)) {
      if (entry !== 'absent' && entry.score <= upToScore) setEntry(list, member, 'absent')
    }
    trims.set(list, Math.max(trims.get(list) ?? upToScore, upToScore))
  }
  const applyOne = (write: Write): void => {
    switch (write.op) {
      case 'put':
        documents.set(keyOf(write.collection, write.key), { value: write.value satisfies Json })
        documentWrites.set(keyOf(write.collection, write.key), write)
        return
      case 'delete':
        documents.set(keyOf(write.collection, write.key), 'absent')
        documentWrites.set(keyOf(write.collection, write.key), write)
        return
      case 'add':
        setEntry(write.list, write.member, { member: write.member, score: write.score, value: write.value })
        break
      case 'remove':
        setEntry(write.list, write.member, 'absent')
        break
      case 'trim':
        trim(write.list, write.upToScore)
        break
    }
    listWrites.push(write)
  }

  return {
    document: (collection, key) => documents.get(keyOf(collection, key)),
    entry: (list, member) => lists.get(list)?.get(member),
    afterTrims: (list, entry) => {
      const trimmedUpTo = trims.get(list)
      return entry !== undefined && trimmedUpTo !== undefined && entry.score <= trimmedUpTo ? undefined : entry
    },
    know: (collection, key, value) => {
      documents.set(keyOf(collection, key), value === undefined ? 'absent' : { value })
    },
    apply: (writes) => writes.forEach(applyOne),
    get waiting() {
      return documentWrites.size + listWrites.length
    },
    get rows() {
      return documents.size + entries
    },
    take: () => {
      const writes = [...listWrites, ...documentWrites.values()]
      documentWrites = new Map()
      listWrites = []
      trims = new Map()
      return writes
    },
  }
}
