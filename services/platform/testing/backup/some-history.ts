import { randomUUID } from 'node:crypto'
import type { EventMetadata, EventStore } from '../../src/event-store/port.ts'

const metadataOf = (n: number): EventMetadata | undefined =>
  n % 3 === 0 ? undefined : n % 3 === 1 ? { actorId: `user-${n}` } : { occurredAt: '2024-05-01T08:00:00.000Z' }

/** Appends of one to four events to twenty streams of three categories, so that neighbors in the log are of different streams. */
export const recordSomeHistory = async (store: Pick<EventStore, 'append'>, appends: number): Promise<void> => {
  const categories = ['user', 'inbox', 'campaign']
  for (let n = 0; n < appends; n++) {
    const metadata = metadataOf(n)
    const events = Array.from({ length: 1 + (n % 4) }, (_, index) => ({
      id: randomUUID(),
      type: 'Noted',
      data: { n, index, text: `Grüße № ${n}`, nested: { list: [null, true, 1.5] } },
      ...(metadata && { metadata }),
    }))
    await store.append(`${categories[n % 3]}-${n % 20}`, 'any', events)
  }
}
