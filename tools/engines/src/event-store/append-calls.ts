import { setImmediate as nextTurn } from 'node:timers/promises'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import type { ServerDuplexStream, ServerReadableStream, ServiceError } from '@grpc/grpc-js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import type { AppendAnswer, Expected } from './append-rules.ts'
import { expectedOf, identifierOf, streamNameOf } from './messages.ts'
import type { ProposedRecord } from './record-log.ts'
import { batchErrors, serverError } from './server-errors.ts'
import type { StoredStreams } from './stored-streams.ts'

/** Whether to drop the answer of the next append after recording it. */
type LosesAnswer = () => boolean

type ProposedMessage = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage

const recordOf = (message: ProposedMessage): ProposedRecord => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
})

const appendResponse = (answer: AppendAnswer & { kind: 'written' | 'wrong-expected-version' }, expected: Expected) => {
  if (answer.kind === 'written') {
    const position = new streams.AppendResp.Position()
      .setCommitPosition(String(answer.position))
      .setPreparePosition(String(answer.position))
    const success = new streams.AppendResp.Success().setCurrentRevision(String(answer.revision)).setPosition(position)
    return new streams.AppendResp().setSuccess(success)
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion()
  if (answer.current === -1) wrong.setCurrentNoStream(new shared.Empty())
  else wrong.setCurrentRevision(String(answer.current))
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty())
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new shared.Empty())
  else if (expected === -1) wrong.setExpectedNoStream(new shared.Empty())
  else wrong.setExpectedRevision(String(expected))
  return new streams.AppendResp().setWrongExpectedVersion(wrong)
}

type AppendCallback = (error: ServiceError | null, response?: streams.AppendResp) => void

export const answerAppend = (
  stored: StoredStreams,
  call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
  callback: AppendCallback,
  losesAnswer: LosesAnswer,
): void => {
  let options = new streams.AppendReq.Options()
  const records: ProposedRecord[] = []
  call.on('data', (request: streams.AppendReq) => {
    const proposed = request.getProposedMessage()
    if (proposed === undefined) options = request.getOptions() ?? options
    else records.push(recordOf(proposed))
  })
  const answer = async (): Promise<void> => {
    const stream = streamNameOf(options.getStreamIdentifier())
    const expected = expectedOf(options, options.getRevision())
    const answered = await stored.append(stream, expected, records)
    if (losesAnswer()) callback(serverError('answerLost'))
    else if (answered.kind === 'stream-deleted') callback(serverError('streamDeleted', { 'stream-name': stream }))
    else if (answered.kind === 'timed-out') callback(serverError('timedOut'))
    else if (answered.kind === 'too-large')
      callback(serverError('appendTooLarge', { 'maximum-append-size': String(answered.maxAppendBytes) }))
    else callback(null, appendResponse(answered, expected))
  }
  call.on('end', async () => {
    // A broken connection ends the request, too, before the call is marked as cancelled. Half an append must not be recorded.
    await nextTurn()
    if (call.cancelled) return
    answer().catch((error: Error) => callback(serverError('failed', { reason: error.message })))
  })
}

const errorStatus = (name: keyof typeof batchErrors, detail: Uint8Array): statuses.Status => {
  const { code, message } = batchErrors[name]
  const details = new any.Any()
  details.pack(detail, `event_store.client.${message}`)
  return new statuses.Status().setCode(code).setMessage(message).setDetails(details)
}

const batchError = (answer: Exclude<AppendAnswer, { kind: 'written' }>, expected: Expected): statuses.Status => {
  if (answer.kind === 'stream-deleted') {
    return errorStatus('streamDeleted', new shared.StreamDeleted().serializeBinary())
  }
  if (answer.kind === 'timed-out') return errorStatus('timedOut', new shared.Timeout().serializeBinary())
  if (answer.kind === 'too-large') {
    const detail = new shared.MaximumAppendSizeExceeded().setMaxappendsize(answer.maxAppendBytes)
    return errorStatus('appendTooLarge', detail.serializeBinary())
  }
  const wrong = new shared.WrongExpectedVersion()
  if (answer.current === -1) wrong.setCurrentNoStream(new empty.Empty())
  else wrong.setCurrentStreamRevision(String(answer.current))
  if (expected === 'any') wrong.setExpectedAny(new empty.Empty())
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new empty.Empty())
  else if (expected === -1) wrong.setExpectedNoStream(new empty.Empty())
  else wrong.setExpectedStreamPosition(String(expected))
  return errorStatus('wrongExpectedVersion', wrong.serializeBinary())
}

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

/** A streaming call with any number of appends. One append may arrive in several messages. */
export const answerBatchAppend = (stored: StoredStreams, call: BatchCall, losesAnswer: LosesAnswer): void => {
  const open = new Map<string, { options: streams.BatchAppendReq.Options; records: ProposedRecord[] }>()

  const finish = async (
    correlation: shared.UUID,
    options: streams.BatchAppendReq.Options,
    records: ProposedRecord[],
  ) => {
    const stream = streamNameOf(options.getStreamIdentifier())
    const expected = expectedOf(options, options.getStreamPosition())
    const answer = await stored.append(stream, expected, records)
    if (call.cancelled) return
    if (losesAnswer()) {
      call.emit('error', serverError('answerLost'))
      return
    }
    const response = new streams.BatchAppendResp()
      .setCorrelationId(correlation)
      .setStreamIdentifier(identifierOf(stream))
    if (answer.kind === 'written') {
      const position = new shared.AllStreamPosition()
        .setCommitPosition(String(answer.position))
        .setPreparePosition(String(answer.position))
      response.setSuccess(
        new streams.BatchAppendResp.Success().setCurrentRevision(String(answer.revision)).setPosition(position),
      )
    } else response.setError(batchError(answer, expected))
    call.write(response)
  }

  call.on('data', (request: streams.BatchAppendReq) => {
    const correlation = request.getCorrelationId()
    const id = correlation?.getString()
    if (correlation === undefined || id === undefined) return
    const begun = open.get(id) ?? { options: request.getOptions() ?? new streams.BatchAppendReq.Options(), records: [] }
    begun.records.push(...request.getProposedMessagesList().map(recordOf))
    if (!request.getIsFinal()) {
      open.set(id, begun)
      return
    }
    open.delete(id)
    finish(correlation, begun.options, begun.records).catch((error: Error) =>
      call.emit('error', serverError('failed', { reason: error.message })),
    )
  })
  call.on('end', () => call.end())
}
