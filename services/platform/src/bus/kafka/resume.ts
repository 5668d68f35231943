import type { Checkpoint } from './checkpoint.ts'
import { endName, type Layout } from './layout.ts'
import { type Held, holdsAll } from './reset.ts'

export type Resume = {
  readonly from: Checkpoint
  /** For the log; undefined where the feed simply goes on. */
  readonly because?: 'kafka is empty' | 'kafka holds less than was published' | 'no checkpoint'
}

const isEmpty = ({ ends }: Held, topic: string, count: number): boolean =>
  Array.from({ length: count }, (_, partition) => ends.get(endName(topic, partition)) ?? 0n).every((end) => end === 0n)

/** Those of an earlier layout stay where a topic has messages: were a key to change its partition, it would overtake itself. */
const layoutFor = (held: Held, former: Layout | undefined): Layout =>
  new Map(
    [...held.layout].map(([topic, count]) => {
      const before = former?.get(topic)
      return [topic, before === undefined || before > count || isEmpty(held, topic, count) ? count : before]
    }),
  )

const hasLostAll = (held: Held, { ends }: Checkpoint): boolean =>
  ends.size > 0 && [...ends.keys()].every((name) => (held.ends.get(name) ?? 0n) === 0n)

/**
 * Where a feed goes on: at its checkpoint; without a usable one behind the last messages that Kafka itself has of it (`own`), the
 * furthest that Kafka still holds all of; or at the start of the log.
 *
 * Of an empty Kafka the checkpoint is right all the same. What lies before it was published before Kafka lost its data, so that
 * each consumer reads it from the log: a consumer that finds its messages gone reads the log up to its end as of then.
 */
export const resumeFrom = (saved: Checkpoint | undefined, own: readonly Checkpoint[], held: Held): Resume => {
  if (saved !== undefined && holdsAll(held, saved)) {
    return { from: { ...saved, layout: layoutFor(held, saved.layout) } }
  }
  if (saved !== undefined && hasLostAll(held, saved)) {
    return { from: { ...saved, ends: new Map(), layout: layoutFor(held, undefined) }, because: 'kafka is empty' }
  }
  const because = saved === undefined ? 'no checkpoint' : 'kafka holds less than was published'
  const usable = own.filter((each) => each.position !== 'start' && holdsAll(held, each))
  const furthest = usable.toSorted((a, b) => (a.position < b.position ? 1 : -1))[0]
  const layout = layoutFor(held, furthest?.layout ?? saved?.layout ?? own[0]?.layout)
  if (furthest !== undefined) return { from: { ...furthest, layout }, because }
  return { from: { position: 'start', ends: new Map(), layout }, because }
}
