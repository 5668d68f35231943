import type { FeedParts } from '../runtime/wire.ts'
import type { Feed } from './feed.ts'

export const startKafkaFeed = async ({ url }: FeedParts & { readonly url: string }): Promise<Feed> => {
  throw new Error(`BUS_URL: Kafka is not supported yet (an address of ${url.length} characters)`)
}
