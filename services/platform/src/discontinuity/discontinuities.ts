import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import { type Discontinuity, discontinuitySchema } from './discontinuity.ts'

const partition = 'discontinuities'
const keeper = 'discontinuities'
const list = 'open'
/** One for each consumer of the portal; far more than there are. */
const most = 1_000
const attemptsOnConflict = 20

/** Discontinuities on record, in the namespace 'control', which no rebuild touches. */
export type Discontinuities = {
  all(): Promise<readonly Discontinuity[]>
  /** The first of a consumer's read model stays on record; the answer is the one that does. */
  record(found: Discontinuity): Promise<Discontinuity>
  /** For a rebuild of the consumer, and nothing else. */
  clear(consumers: readonly string[]): Promise<void>
}

type Control = ReadStore & ProjectionWriter & Checkpoints

/** Another one after each change: cheaper than all of them, to be asked often. */
export const discontinuitiesVersion = (control: Checkpoints): Promise<string | undefined> =>
  control.position(keeper, partition)

/** By compare-and-set: processes that notice at the same time leave one record. */
export const keepDiscontinuities = (control: Control): Discontinuities => {
  const entryOf = async (consumer: string) => {
    const entry = await control.entry(partition, list, consumer)
    return entry && discontinuitySchema.parse(entry.value)
  }

  const change = async (
    writesAt: (score: number) => Promise<Parameters<Control['commit']>[0]['writes'] | undefined>,
  ) => {
    for (let attempt = 0; attempt < attemptsOnConflict; attempt++) {
      const expected = await control.position(keeper, partition)
      const score = Number(expected ?? '0') + 1
      const writes = await writesAt(score)
      if (writes === undefined) return
      const position = String(score).padStart(12, '0')
      if ((await control.commit({ projection: keeper, partition, expected, position, writes })) === 'committed') return
    }
    throw new Error('The discontinuities on record are being changed too fast')
  }

  return {
    async all() {
      const entries = await control.range(partition, list, { order: 'ascending', limit: most })
      return entries.map(({ value }) => discontinuitySchema.parse(value))
    },
    async record(found) {
      let known = found
      await change(async (score) => {
        const before = await entryOf(found.consumer)
        known = before !== undefined && before.epoch === found.epoch ? before : found
        if (known !== found) return undefined
        return [{ op: 'add', list, member: found.consumer, score, value: found }]
      })
      return known
    },
    async clear(consumers) {
      if (consumers.length === 0) return
      await change(async () => consumers.map((member) => ({ op: 'remove', list, member })))
    },
  }
}
