import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { KafkaAdmin } from './admin.ts'
import { type Bounds, type Place, placeAfter } from './cursor.ts'
import { feedMarkOf } from './feed-header.ts'
import { envelopeIn } from './item.ts'
import type { MessageReader } from './message-reader.ts'

/** What a topic holds, and how the feed spreads keys over its partitions. */
export type KafkaState = {
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  /** The position of the message at an offset; undefined where there is none, or no envelope. */
  positionAt(topic: string, partition: number, offset: bigint): Promise<string | undefined>
  /** Behind the last message of each partition. Without a position where a partition is empty, or its last message no envelope. */
  ends(topic: string): Promise<ReadonlyMap<number, Place>>
  /**
   * How many partitions keys are spread over. More may have been added since the feed filled the topic: it stays with those it began
   * with, which its last messages tell.
   */
  layout(topic: string): Promise<number>
}

type Parts = { readonly admin: Pick<KafkaAdmin, 'bounds'>; readonly reader: Pick<MessageReader, 'read'> }

export const kafkaState = ({ admin, reader }: Parts): KafkaState => {
  const envelopeAt = async (topic: string, partition: number, offset: bigint): Promise<Envelope | undefined> => {
    const message = await reader.read(topic, partition, offset)
    if (message === undefined) return undefined
    try {
      return envelopeIn(`${topic}-${partition}`, message)
    } catch {
      return undefined
    }
  }

  const endOf = async (topic: string, partition: number, { low, high }: Bounds): Promise<Place> => {
    const offset = high - 1n
    const envelope = low < high ? await envelopeAt(topic, partition, offset) : undefined
    return envelope === undefined ? { offset } : placeAfter(envelope, offset)
  }

  return {
    bounds: admin.bounds,
    positionAt: async (topic, partition, offset) => (await envelopeAt(topic, partition, offset))?.position,
    async ends(topic) {
      const found = [...(await admin.bounds(topic))]
      return new Map(
        await Promise.all(
          found.map(async ([partition, of]) => [partition, await endOf(topic, partition, of)] as const),
        ),
      )
    },
    async layout(topic) {
      const found = [...(await admin.bounds(topic))]
      const marks = await Promise.all(
        found.map(async ([partition, { low, high }]) =>
          low < high ? feedMarkOf(await reader.read(topic, partition, high - 1n)) : undefined,
        ),
      )
      const newestFirst = marks.toSorted((a, b) =>
        (a?.checkpoint.position ?? '') < (b?.checkpoint.position ?? '') ? 1 : -1,
      )
      return newestFirst[0]?.checkpoint.layout.get(topic) ?? found.length
    },
  }
}
