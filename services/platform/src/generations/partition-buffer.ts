import type { Json } from '../event-store/port.ts'
import type { Entry, Range, Write } from '../read-model/port.ts'

/** What is known of one partition, and what of it is not written yet. */
export type PartitionBuffer = {
  /** Undefined where nothing is known; 'absent' where it is known that there is nothing. */
  document(collection: string, key: string): { readonly value: unknown } | 'absent' | undefined
  entry(list: string, member: string): Entry | 'absent' | undefined
  /** Undefined where not all of the list is known, or it is too long to be put in order for each question. */
  range(list: string, range: Range): readonly Entry[] | undefined
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

/** Lists of more members are left to the read model behind, which keeps them in order. */
const sortedAtMost = 4_000

const keyOf = (collection: string, key: string): string => `${collection}\0${key}`

const within = ({ from = -Infinity, to = Infinity }: Range, { score }: Entry): boolean => score >= from && score <= to

/**
 * Where it is complete, all there is of the partition went through here: what is not known does not exist.
 *
 * Of many writes to one document only the last has to be made. Writes to lists keep their order, because a score is free for
 * another member only once its own is gone.
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
      if (!isComplete || members.size > sortedAtMost) return undefined
      const found = [...members.values()].filter((entry) => entry !== 'absent').filter((entry) => within(range, entry))
      const sign = range.order === 'ascending' ? 1 : -1
      return found.toSorted((left, right) => sign * (left.score - right.score)).slice(0, range.limit)
    },
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
