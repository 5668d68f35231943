import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { parseKafkaAddress } from '../kafka/address.ts'
import type { KafkaAdmin } from '../kafka/admin.ts'
import { createKafkaClient } from '../kafka/client.ts'
import { topicNames } from '../kafka/topics.ts'
import type { Publisher } from '../publisher.ts'

const messagesSchema = z.object({
  messages: z.array(
    z.object({
      topic: z.enum(['auth', 'catalog', 'notifications']),
      key: z.string(),
      type: z.string(),
      data: z.object({ n: z.number() }),
    }),
  ),
})

/** An event of the category 'test' says itself what it becomes. */
export const testPublisher: Publisher = {
  category: 'test',
  publish: ({ data }) => messagesSchema.parse(data).messages,
}

/** Resolves when Kafka has so many messages of all topics. */
export const whenPublished = async (admin: KafkaAdmin, url: string, total: number): Promise<void> => {
  const topics = topicNames(parseKafkaAddress(url))
  const count = async () => {
    const bounds = await Promise.all(topics.map((topic) => admin.bounds(topic)))
    return bounds.flatMap((of) => [...of.values()]).reduce((sum, { high }) => sum + Number(high), 0)
  }
  await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(total), { timeout: 20_000, interval: 2 })
}

/** Takes away the topics that a test has made. */
export const removeTopics = async (url: string): Promise<void> => {
  const address = parseKafkaAddress(url)
  const admin = createKafkaClient(address, pino({ level: 'silent' })).admin()
  await admin.connect()
  try {
    await admin.deleteTopics({ topics: [...topicNames(address)] })
  } finally {
    await admin.disconnect()
  }
}
