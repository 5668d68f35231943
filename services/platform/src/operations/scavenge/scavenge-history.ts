import { z } from 'zod'
import type { NodeRecord } from '../../event-store/eventstoredb/node-client.ts'
import { keyStreams } from '../inspect-event-store.ts'
import type { ScavengeRecord } from './erased-keys-tally.ts'

/** Event types of EventStoreDB's own that say what was ended and what was scavenged. */
export const historyTypes = String.raw`^\$(streamDeleted|scavengePoint|scavengeCompleted)$`

const completedSchema = z.object({ nodeEndpoint: z.string(), result: z.string(), error: z.string().nullish() })
export type CompletedScavenge = z.infer<typeof completedSchema>

export const completedType = '$scavengeCompleted'
export const parseCompleted = (data: unknown): CompletedScavenge => completedSchema.parse(data)

/** Undefined for a record that says nothing of keys or of scavenges that succeeded. */
export const scavengeRecordOf = ({ type, stream, position, at, data }: NodeRecord): ScavengeRecord | undefined => {
  if (type === '$streamDeleted') return stream.startsWith(keyStreams) ? { kind: 'key-ended', position } : undefined
  if (type === '$scavengePoint') return { kind: 'point', position }
  if (type !== completedType) return undefined
  const { nodeEndpoint: node, result } = parseCompleted(JSON.parse(Buffer.from(data).toString('utf8')))
  return result === 'Success' ? { kind: 'completed', node, at } : undefined
}
