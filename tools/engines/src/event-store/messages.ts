import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { Expected } from './append-rules.ts'
import type { LogRecord } from './record-log.ts'

const tombstoneRevision = '9223372036854775807'

export const streamNameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')

export const identifierOf = (stream: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))

type ExpectedInOptions = {
  hasNoStream(): boolean
  hasAny(): boolean
  hasStreamExists(): boolean
}
export const expectedOf = (options: ExpectedInOptions, revision: string): Expected => {
  if (options.hasAny()) return 'any'
  if (options.hasStreamExists()) return 'stream-exists'
  return options.hasNoStream() ? -1 : Number(revision)
}

const ticksPerMs = 10_000n

export const eventMessage = (record: LogRecord): streams.ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(identifierOf(record.stream))
    .setStreamRevision(record.revision === null ? tombstoneRevision : String(record.revision))
    .setCommitPosition(String(record.position))
    .setPreparePosition(String(record.position))
    .setCustomMetadata(record.metadata)
    .setData(record.data)
  const metadata = recorded.getMetadataMap()
  metadata.set('type', record.type)
  metadata.set('content-type', record.contentType)
  metadata.set('created', String(BigInt(record.createdMs) * ticksPerMs))
  const event = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(record.position))
  return new streams.ReadResp().setEvent(event)
}

export const checkpointMessage = (position: number): streams.ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)),
  )
