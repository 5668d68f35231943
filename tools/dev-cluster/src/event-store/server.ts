import { readFileSync } from 'node:fs'
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type { IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js'
import type { IOperationsServer } from '@eventstore/db-client/generated/operations_grpc_pb.js'
import operations from '@eventstore/db-client/generated/operations_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type { IServerFeaturesServer } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type Metadata, Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js'
import { answerAppend, answerBatchAppend } from './append-calls.ts'
import type { AppendAnswer } from './append-rules.ts'
import { expectedOf, streamDeleted, streamNameOf, typedError, unavailable } from './messages.ts'
import { clusterOfOne } from './gossip.ts'
import { answerRead, type ReadCounts } from './read-call.ts'
import { createScavenging } from './scavenging.ts'
import { openStoredStreams } from './stored-streams.ts'

/** What a test can make the stand-in do. 'silent': calls are taken and never answered; 'lose-answers': so many appends; 'index-in':
 * appends are on their way for so long; 'fail-appends': they fail as with a full disk, until 'serve'; 'hold-scavenges': they wait until 'release-scavenges'. */
export type StandInCommand =
  | { readonly name: 'drop-connections' }
  | { readonly name: 'refuse' }
  | { readonly name: 'be-silent' }
  | { readonly name: 'serve' }
  | { readonly name: 'lose-answers'; readonly appends: number }
  | { readonly name: 'index-in'; readonly ms: number }
  | { readonly name: 'fail-appends' }
  | { readonly name: 'hold-scavenges' }
  | { readonly name: 'release-scavenges' }

export type StandInOptions = {
  /** 0 takes a free one. */
  readonly port: number
  /** Where the log is kept, across restarts; in memory without one. */
  readonly folder?: string | undefined
  /** With certificate and key it speaks TLS; it then wants this user, if one is named. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string } | undefined
  readonly login?: { readonly user: string; readonly password: string } | undefined
}

const host = '127.0.0.1'

const supportedMethods = (): features.SupportedMethods => {
  const names = ['append', 'batchappend', 'read', 'delete', 'tombstone']
  const methods = names.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  )
  return new features.SupportedMethods().setEventStoreServerVersion('24.10.0 (stand-in)').setMethodsList(methods)
}

const placeIn = <T extends streams.DeleteResp.Position | streams.TombstoneResp.Position>(
  position: T,
  at: number,
): T => {
  position.setCommitPosition(String(at))
  position.setPreparePosition(String(at))
  return position
}

const removalError = (stream: string, expected: string, answer: AppendAnswer): ServiceError => {
  if (answer.kind === 'stream-deleted') return streamDeleted(stream)
  const current = answer.kind === 'wrong-expected-version' ? answer.current : -1
  return typedError(status.FAILED_PRECONDITION, 'Wrong expected version', 'wrong-expected-version', {
    'stream-name': stream,
    'expected-version': expected,
    ...(current >= 0 && { 'actual-version': String(current) }),
  })
}

/** Starts to listen. It stands in for EventStoreDB in tests and development where there is no Docker, and for nothing else. */
export const startServer = async (options: StandInOptions) => {
  const onDisk = openStoredStreams(options.folder)
  const stored: typeof onDisk = {
    ...onDisk,
    append: async (...proposed) => {
      if (failsAppends) throw new Error('database or disk is full')
      return onDisk.append(...proposed)
    },
  }
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 })
  let mode: 'serving' | 'refusing' | 'silent' = 'serving'
  let answersToLose = 0
  let failsAppends = false
  const counts: ReadCounts = { readsOfEnd: 0, recordsOfStreams: 0 }

  const losesAnswer = (): boolean => {
    if (answersToLose === 0) return false
    answersToLose -= 1
    return true
  }
  const authorization =
    options.login && `Basic ${Buffer.from(`${options.login.user}:${options.login.password}`).toString('base64')}`

  /** What stands against serving a call: an error, 'silent', or nothing. */
  const obstacle = (metadata: Metadata, asks: 'user' | 'anybody' = 'user'): ServiceError | 'silent' | undefined => {
    if (mode === 'silent') return 'silent'
    if (mode === 'refusing') return unavailable()
    if (authorization === undefined || asks === 'anybody') return undefined
    if (metadata.get('authorization')[0] === authorization) return undefined
    return typedError(status.UNAUTHENTICATED, 'Who are you?', 'access-denied')
  }

  /** Gives the position of the record that says so. */
  const remove = async (
    asked: streams.DeleteReq.Options | streams.TombstoneReq.Options,
    how: 'delete' | 'tombstone',
  ): Promise<number> => {
    const stream = streamNameOf(asked.getStreamIdentifier())
    const answer = await stored.remove(stream, expectedOf(asked, asked.getRevision()), how)
    if (answer.kind !== 'written') throw removalError(stream, asked.getRevision(), answer)
    return answer.position
  }

  const featuresServer: IServerFeaturesServer = {
    getSupportedMethods: (call, callback) => {
      const stopped = obstacle(call.metadata)
      if (stopped === undefined) callback(null, supportedMethods())
      else if (stopped !== 'silent') callback(stopped)
    },
  }
  const gossipServer: IGossipServer = {
    read: (call, callback) => {
      const stopped = obstacle(call.metadata, 'anybody')
      if (stopped === undefined) callback(null, clusterOfOne(host, port))
      else if (stopped !== 'silent') callback(stopped)
    },
  }
  const operationsServer: Pick<IOperationsServer, 'startScavenge'> = {
    startScavenge: (call, callback) => {
      const stopped = obstacle(call.metadata)
      if (stopped === 'silent') return
      if (stopped !== undefined) return callback(stopped)
      const { id, kind } = scavenging.start()
      const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult
      const result = kind === 'started' ? STARTED : INPROGRESS
      callback(null, new operations.ScavengeResp().setScavengeId(id).setScavengeResult(result))
    },
  }
  const streamsServer: IStreamsServer = {
    append: (call, callback) => {
      const stopped = obstacle(call.metadata)
      if (stopped === undefined) answerAppend(stored, call, callback, losesAnswer)
      else if (stopped !== 'silent') callback(stopped)
    },
    batchAppend: (call) => {
      const stopped = obstacle(call.metadata)
      if (stopped === undefined) answerBatchAppend(stored, call, losesAnswer)
      else if (stopped !== 'silent') call.emit('error', stopped)
    },
    read: (call) => {
      const stopped = obstacle(call.metadata)
      if (stopped === 'silent') return
      if (stopped !== undefined) {
        call.emit('error', stopped)
        return
      }
      const ended = new AbortController()
      call.on('cancelled', () => ended.abort())
      call.on('close', () => ended.abort())
      answerRead(stored, call, ended.signal, counts).catch((error: Error) =>
        call.emit('error', typedError(status.UNKNOWN, error.message)),
      )
    },
    delete: (call, callback) => {
      const stopped = obstacle(call.metadata)
      if (stopped === 'silent') return
      if (stopped !== undefined) return callback(stopped)
      remove(call.request.getOptions() ?? new streams.DeleteReq.Options(), 'delete').then(
        (place) =>
          callback(null, new streams.DeleteResp().setPosition(placeIn(new streams.DeleteResp.Position(), place))),
        callback,
      )
    },
    tombstone: (call, callback) => {
      const stopped = obstacle(call.metadata)
      if (stopped === 'silent') return
      if (stopped !== undefined) return callback(stopped)
      remove(call.request.getOptions() ?? new streams.TombstoneReq.Options(), 'tombstone').then(
        (place) =>
          callback(null, new streams.TombstoneResp().setPosition(placeIn(new streams.TombstoneResp.Position(), place))),
        callback,
      )
    },
  }
  server.addService(ServerFeaturesService, featuresServer)
  server.addService(StreamsService, streamsServer)
  server.addService(GossipService, gossipServer)
  server.addService(OperationsService, operationsServer)

  const credentials = options.tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: readFileSync(options.tls.certificateFile), private_key: readFileSync(options.tls.keyFile) },
      ])
    : ServerCredentials.createInsecure()
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${options.port}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  const scavenging = createScavenging(stored, `${host}:${port}`)
  await scavenging.markInterrupted()
  const dropConnections = (): void => server.drain(`${host}:${port}`, 0)

  return {
    port,
    command: (command: StandInCommand): void => {
      if (command.name === 'drop-connections') dropConnections()
      else if (command.name === 'lose-answers') answersToLose = command.appends
      else if (command.name === 'index-in') stored.indexIn(command.ms)
      else if (command.name === 'hold-scavenges') scavenging.hold()
      else if (command.name === 'release-scavenges') scavenging.release()
      else if (command.name === 'fail-appends') failsAppends = true
      else if (command.name === 'serve') {
        mode = 'serving'
        failsAppends = false
      } else {
        mode = command.name === 'refuse' ? 'refusing' : 'silent'
        if (mode === 'refusing') dropConnections()
      }
    },
    counts: (): ReadCounts => ({ ...counts }),
    stop: (): void => {
      server.forceShutdown()
      stored.close()
    },
  }
}
