import { afterEach, beforeEach, expect } from 'vitest'
import type { Json } from '../../../src/event-store/port.ts'
import type { CommitOutcome, ReadModel, Write } from '../../../src/read-model/port.ts'

export type ReadModelHarness = {
  /** Opens the read model; calls with the same namespace share their data, like processes that use one backend. */
  open(namespace: string): Promise<ReadModel>
  dispose(): Promise<void>
}

export const put = (key: string, value: Json, collection = 'things'): Write => ({ op: 'put', collection, key, value })
export const add = (member: string, score: number, value: Json = null, list = 'list'): Write => ({
  op: 'add',
  list,
  member,
  score,
  value,
})
export const thing = (key: string, partition = 'p') => ({ partition, collection: 'things', key })
export const everything = { order: 'ascending', limit: 1_000 } as const

/** What a contract test gets: a namespace 'main', opened empty before each test. */
export type UnderTest = {
  readonly readModel: ReadModel
  open(namespace: string): Promise<ReadModel>
  /** Commits as projection 'a'. */
  commit(
    partition: string,
    expected: string | undefined,
    position: string,
    writes: readonly Write[],
  ): Promise<CommitOutcome>
  /** Commits to partition 'p' at the next position. */
  write(...writes: Write[]): Promise<void>
  /** The position of the last `write`. */
  readonly last: string | undefined
  /** Members of a list of partition 'p'. */
  members(list?: string): Promise<readonly string[]>
}

export const underTest = (makeHarness: () => Promise<ReadModelHarness>): UnderTest => {
  let harness: ReadModelHarness
  let readModel: ReadModel
  let last: string | undefined

  beforeEach(async () => {
    harness = await makeHarness()
    readModel = await harness.open('main')
    last = undefined
  })
  afterEach(() => harness.dispose())

  const commit: UnderTest['commit'] = (partition, expected, position, writes) =>
    readModel.commit({ projection: 'a', partition, expected, position, writes })

  return {
    get readModel() {
      return readModel
    },
    get last() {
      return last
    },
    open: (namespace) => harness.open(namespace),
    commit,
    async write(...writes) {
      const position = String(Number(last ?? '0') + 1).padStart(6, '0')
      expect(await commit('p', last, position, writes)).toBe('committed')
      last = position
    },
    members: async (list = 'list') => (await readModel.range('p', list, everything)).map((e) => e.member),
  }
}
