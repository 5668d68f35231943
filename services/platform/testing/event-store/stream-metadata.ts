import { EventStoreDBClient, type StreamMetadata } from '@eventstore/db-client'

/** Sets the metadata of a stream, as an operator can with any client. */
export const setStreamMetadata = async (url: string, stream: string, metadata: StreamMetadata): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url)
  await client.setStreamMetadata(stream, metadata)
  await client.dispose()
}
