import type { EventStore } from './port.ts'

export const openEventStoreDb = async ({ url }: { readonly url: string }): Promise<EventStore> => {
  throw new Error(`EVENT_STORE_URL: EventStoreDB is not supported yet (an address of ${url.length} characters)`)
}
