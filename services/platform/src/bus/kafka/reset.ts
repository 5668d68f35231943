import type { KafkaAdmin } from './admin.ts'
import { endName, type Ends, type Layout } from './layout.ts'

const lookEveryMs = 2_000

/** Kafka no longer holds what was published: it has to be filled again from the beginning. */
export class KafkaWasResetError extends Error {
  override readonly name = 'KafkaWasResetError'
  constructor() {
    super('Kafka does not hold what was published')
  }
}

/** What Kafka holds: how far its partitions are, and how many each topic has. */
export type Held = { readonly ends: Ends; readonly layout: Layout }

const endsOf = async (admin: KafkaAdmin, topics: Iterable<string>): Promise<Ends> => {
  const ends = new Map<string, bigint>()
  for (const topic of topics) {
    for (const [partition, { high }] of await admin.bounds(topic)) ends.set(endName(topic, partition), high)
  }
  return ends
}

/** Also creates the topics that are missing. */
export const lookAtKafka = async (admin: KafkaAdmin): Promise<Held> => {
  const layout = await admin.prepare()
  return { ends: await endsOf(admin, layout.keys()), layout }
}

export const holdsEnds = (held: Ends, ends: Ends): boolean =>
  [...ends].every(([name, end]) => (held.get(name) ?? 0n) >= end)

export const holdsAll = (held: Held, { ends, layout }: Held): boolean =>
  holdsEnds(held.ends, ends) && [...layout].every(([topic, count]) => (held.layout.get(topic) ?? 0) >= count)

export type ResetWatch = {
  /** Aborts, with KafkaWasResetError, when Kafka holds less than was put there. */
  readonly signal: AbortSignal
  stop(): void
}

/** A feed that has nothing to publish would not notice, and what Kafka has lost would be missing until it has. */
export const watchForReset = (admin: KafkaAdmin, ends: () => Ends): ResetWatch => {
  const found = new AbortController()
  let isLooking = false

  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      // Taken before: what is published while this looks is not compared.
      const before = ends()
      const topics = new Set([...before.keys()].map((name) => name.slice(0, name.lastIndexOf('/'))))
      // Whether a topic is only out of reach or gone shows when those that are missing have been created.
      const held = await endsOf(admin, topics).catch(async () => (await lookAtKafka(admin)).ends)
      if (!holdsEnds(held, before)) found.abort(new KafkaWasResetError())
    } catch {
      // Kafka does not answer, which publishing shows; there is nothing to compare with.
    } finally {
      isLooking = false
    }
  }

  const timer = setInterval(() => void look(), lookEveryMs)
  return { signal: found.signal, stop: () => clearInterval(timer) }
}
