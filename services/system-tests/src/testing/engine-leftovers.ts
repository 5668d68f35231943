import { Kafka, logLevel } from 'kafkajs'
import { createClient } from 'redis'

/** What a test portal has left on servers that others use, too. */
export const dropRedisKeys = async (url: string, prefix: string): Promise<void> => {
  const client = createClient({ url: url.split('?')[0] ?? url })
  await client.connect()
  try {
    for await (const keys of client.scanIterator({ MATCH: `{${prefix}:*`, COUNT: 1_000 })) {
      if (keys.length > 0) await client.unlink(keys)
    }
  } finally {
    client.destroy()
  }
}

export const dropKafkaTopics = async (url: string, prefix: string): Promise<void> => {
  const brokers = (url.split('?')[0] ?? '').replace(/^kafka:\/\//, '').split(',')
  const admin = new Kafka({ clientId: 'leftovers', brokers, logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix))
    if (topics.length > 0) await admin.deleteTopics({ topics })
  } finally {
    await admin.disconnect()
  }
}
