import { z } from 'zod'
import type { EventMetadata, RecordedEvent } from '../port.ts'
import type { EngineRecord } from './client.ts'
import { formatPosition } from './log-position.ts'

const text = z.string().optional()
const metadataSchema = z
  .object({
    correlationId: text,
    causationId: text,
    actorId: text,
    apiKeyId: text,
    occurredAt: text,
    traceparent: text,
  })
  .partial()

export const parseMetadata = (metadata: unknown): EventMetadata => {
  if (metadata === undefined || metadata === null) return {}
  const { correlationId, causationId, actorId, apiKeyId, occurredAt, traceparent } = metadataSchema.parse(metadata)
  return {
    ...(correlationId !== undefined && { correlationId }),
    ...(causationId !== undefined && { causationId }),
    ...(actorId !== undefined && { actorId }),
    ...(apiKeyId !== undefined && { apiKeyId }),
    ...(occurredAt !== undefined && { occurredAt }),
    ...(traceparent !== undefined && { traceparent }),
  }
}

export const decodeEvent = ({
  stream,
  revision,
  id,
  type,
  data,
  metadata,
  at,
  position,
}: EngineRecord): RecordedEvent => ({
  kind: 'event',
  position: formatPosition(position),
  stream,
  revision,
  id,
  type,
  data,
  metadata: parseMetadata(metadata),
  at: at.toISOString(),
})
