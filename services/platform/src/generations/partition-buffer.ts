import type { Json } from '../event-store/port.ts'
import type { Entry, Range, Write } from '../read-model/port.ts'

/** The known contents of one partition, and its pending writes. */
export type PartitionBuffer = {
  /** Undefined if unknown; 'absent' if it does not exist. */
  document(collection: string, key: string): { readonly value: unknown } | 'absent' | undefined
  entry(list: string, member: string): Entry | 'absent' | undefined
  /** Undefined if part of the list is unknown, or if the list is too long to sort for each call. */
  range(list: string, range: Range): readonly Entry[] | undefined
  /** An entry read from the target, after the pending trims. */
  afterTrims(list: string, entry: Entry | undefined): Entry | undefined
  /** Caches a document that was read from the target. */
  remember(collection: string, key: string, value: unknown): void
  apply(writes: readonly Write[]): void
  /** Number of pending writes. */
  readonly pending: number
  /** Number of documents and entries in memory. */
  readonly rows: number
  /** Removes and returns the pending writes, in an order with the same result. */
  take(): readonly Write[]
}

/** Longer lists are read from the target, which keeps them sorted. */
const maxSortedEntries = 4_000

const keyOf = (collection: string, key: string): string => `${collection}\0${key}`

const within = ({ from = -Infinity, to = Infinity }: Range, { score }: Entry): boolean => score >= from && score <= to

/**
 * A complete buffer has seen every write of the partition, so unknown rows do not exist.
 *
 * Of several writes to one document only the last is kept. List writes keep their order, because a score is free for another member
 * only after its current member has left it.
 */
export const createPartitionBuffer = (isComplete: boolean): PartitionBuffer => {
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
  const unknown = isComplete ? 'absent' : undefined
  const setEntry = (list: string, member: string, entry: Entry | 'absent'): void => {
    const members = membersOf(list)
    entries -= members.size
    if (entry === unknown) members.delete(member)
    else members.set(member, entry)
    entries += members.size
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
    document: (collection, key) => documents.get(keyOf(collection, key)) ?? unknown,
    entry: (list, member) => lists.get(list)?.get(member) ?? unknown,
    range: (list, range) => {
      const members = membersOf(list)
      if (!isComplete || members.size > maxSortedEntries) return undefined
      const found = [...members.values()].filter((entry) => entry !== 'absent').filter((entry) => within(range, entry))
      const sign = range.order === 'ascending' ? 1 : -1
      return found.toSorted((left, right) => sign * (left.score - right.score)).slice(0, range.limit)
    },
    afterTrims: (list, entry) => {
      const trimmedUpTo = trims.get(list)
      return entry !== undefined && trimmedUpTo !== undefined && entry.score <= trimmedUpTo ? undefined : entry
    },
    remember: (collection, key, value) => {
      documents.set(keyOf(collection, key), value === undefined ? 'absent' : { value })
    },
    apply: (writes) => writes.forEach(applyOne),
    get pending() {
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
