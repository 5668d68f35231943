import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { GossipService, type IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import { type IOperationsServer, OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js'
import operations from '@eventstore/db-client/generated/operations_pb.js'
import {
  type IServerFeaturesServer,
  ServerFeaturesService,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { type IStreamsServer, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { z } from 'zod'
import { Server, ServerCredentials, type ServiceError } from '@grpc/grpc-js'
import { answerAppend, answerBatchAppend } from './append-calls.ts'
import type { AppendAnswer, Expected } from './append-rules.ts'
import { type CallAccess, createFaults, type Faults, type StandInCommand, type StandInUser } from './faults.ts'
import { expectedOf, streamNameOf } from './messages.ts'
import { answerRead, type ReadCounts } from './read-call.ts'
import { createScavenging } from './scavenging.ts'
import { serverError, serverVersion } from './server-errors.ts'
import { openStoredStreams, type StoredStreams } from './stored-streams.ts'

type StandInOptions = {
  /** 0 chooses a free port. */
  readonly port: number
  /** Stores the log. Without it, the log is in memory. */
  readonly folder?: string | undefined
  /** Enables TLS. With users, clients must authenticate. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string } | undefined
  readonly users?: readonly StandInUser[] | undefined
}

const host = '127.0.0.1'

const supportedMethods = (): features.SupportedMethods => {
  const names = ['append', 'batchappend', 'read', 'delete', 'tombstone']
  const methods = names.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  )
  return new features.SupportedMethods()
    .setEventStoreServerVersion(`${serverVersion} (stand-in)`)
    .setMethodsList(methods)
}

const setPosition = <T extends streams.DeleteResp.Position | streams.TombstoneResp.Position>(
  position: T,
  at: number,
): T => {
  position.setCommitPosition(String(at))
  position.setPreparePosition(String(at))
  return position
}

const removalError = (stream: string, expected: Expected, answer: AppendAnswer): ServiceError => {
  if (answer.kind === 'stream-deleted') return serverError('streamDeleted', { 'stream-name': stream })
  return serverError('wrongExpectedVersion', {
    operation: 'Delete',
    'stream-name': stream,
    'expected-version': String(expected === 'any' ? -2 : expected === 'stream-exists' ? -4 : expected),
    'actual-version': String(answer.kind === 'wrong-expected-version' ? answer.current : -1),
  })
}

/** The gossip of a cluster with one node. Clients request it if they have several hosts or discover the cluster. */
const clusterOfOne = (port: number): gossip.ClusterInfo => {
  const leader = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(randomUUID()))
    .setTimeStamp(String(Date.now()))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
  return new gossip.ClusterInfo().setMembersList([leader])
}

const removeStream = async (
  stored: StoredStreams,
  asked: streams.DeleteReq.Options | streams.TombstoneReq.Options,
  how: 'delete' | 'tombstone',
): Promise<number> => {
  const stream = streamNameOf(asked.getStreamIdentifier())
  const expected = expectedOf(asked, asked.getRevision())
  const answer = await stored.remove(stream, expected, how)
  if (answer.kind !== 'written') throw removalError(stream, expected, answer)
  return answer.position
}

const aclSchema = z.object({ $acl: z.object({ $r: z.array(z.string()).or(z.string()).optional() }).optional() })

/** The users that the metadata of `$all` allows to read it. */
const readersOfAll = ({ log }: StoredStreams): readonly string[] => {
  const metadata = '$$$all'
  const [newest] = log.streamBackwards(metadata, log.streamState(metadata).last, 1)
  if (newest === undefined) return []
  const { $acl } = aclSchema.parse(JSON.parse(Buffer.from(newest.data).toString('utf8')))
  return [$acl?.$r ?? []].flat()
}

const accessTo = (stream: string): CallAccess => (stream.startsWith('$') ? 'admin' : 'user')

const accessOfRead = (options: streams.ReadReq.Options | undefined): CallAccess => {
  if (options?.hasAll() === true) return 'reader-of-all'
  return accessTo(streamNameOf(options?.getStream()?.getStreamIdentifier()))
}

const streamsServer = (
  stored: StoredStreams,
  { serve, losesAnswer }: Pick<Faults, 'serve' | 'losesAnswer'>,
  counts: ReadCounts,
): IStreamsServer => ({
  append: (call, callback) => serve(call.metadata, callback, () => answerAppend(stored, call, callback, losesAnswer)),
  batchAppend: (call) =>
    serve(
      call.metadata,
      (error) => call.emit('error', error),
      () => answerBatchAppend(stored, call, losesAnswer),
    ),
  read: (call) => {
    const refuse = (error: ServiceError): void => void call.emit('error', error)
    serve(
      call.metadata,
      refuse,
      () => {
        const ended = new AbortController()
        call.on('cancelled', () => ended.abort())
        call.on('close', () => ended.abort())
        answerRead(stored, call, ended.signal, counts).catch((error: Error) =>
          refuse(serverError('failed', { reason: error.message })),
        )
      },
      accessOfRead(call.request.getOptions()),
    )
  },
  delete: (call, callback) =>
    serve(call.metadata, callback, () => {
      removeStream(stored, call.request.getOptions() ?? new streams.DeleteReq.Options(), 'delete').then(
        (place) =>
          callback(null, new streams.DeleteResp().setPosition(setPosition(new streams.DeleteResp.Position(), place))),
        callback,
      )
    }),
  tombstone: (call, callback) =>
    serve(call.metadata, callback, () => {
      removeStream(stored, call.request.getOptions() ?? new streams.TombstoneReq.Options(), 'tombstone').then(
        (place) =>
          callback(
            null,
            new streams.TombstoneResp().setPosition(setPosition(new streams.TombstoneResp.Position(), place)),
          ),
        callback,
      )
    }),
})

const operationsServer = (
  scavenging: () => ReturnType<typeof createScavenging>,
  { serve }: Pick<Faults, 'serve'>,
): Pick<IOperationsServer, 'startScavenge'> => ({
  startScavenge: (call, callback) =>
    serve(
      call.metadata,
      callback,
      () => {
        const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult
        callback(null, new operations.ScavengeResp().setScavengeResult(scavenging().start() ? STARTED : INPROGRESS))
      },
      'admin',
    ),
})

const listen = (server: Server, { port, tls }: StandInOptions): Promise<number> => {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: readFileSync(tls.certificateFile), private_key: readFileSync(tls.keyFile) },
      ])
    : ServerCredentials.createInsecure()
  return new Promise((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
}

/** Starts the stand-in for EventStoreDB, only for tests and for development without Docker. */
export const startServer = async (options: StandInOptions) => {
  const onDisk = openStoredStreams(
    options.folder,
    options.users?.map(({ user }) => user),
  )
  const faults = createFaults(options.users ?? [], (user) => readersOfAll(onDisk).includes(user))
  const stored: StoredStreams = {
    ...onDisk,
    append: async (...proposed) => {
      if (faults.state.failsAppends) throw new Error('database or disk is full')
      return onDisk.append(...proposed)
    },
  }
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 })
  const counts: ReadCounts = { readsOfEnd: 0, recordsOfStreams: 0 }
  const featuresServer: IServerFeaturesServer = {
    getSupportedMethods: (call, callback) =>
      faults.serve(call.metadata, callback, () => callback(null, supportedMethods())),
  }
  const gossipServer: IGossipServer = {
    read: (call, callback) => faults.serve(call.metadata, callback, () => callback(null, clusterOfOne(port)), 'public'),
  }
  server.addService(ServerFeaturesService, featuresServer)
  server.addService(StreamsService, streamsServer(stored, faults, counts))
  server.addService(GossipService, gossipServer)
  server.addService(
    OperationsService,
    operationsServer(() => scavenging, faults),
  )

  const port = await listen(server, options)
  const scavenging = createScavenging(stored, `${host}:${port}`)
  const dropConnections = (): void => server.drain(`${host}:${port}`, 0)

  const execute = (command: StandInCommand): void => {
    const { state } = faults
    if (command.name === 'drop-connections') dropConnections()
    else if (command.name === 'lose-answers') state.answersToLose = command.appends
    else if (command.name === 'delay-appends') stored.delayAppends(command.ms)
    else if (command.name === 'fail-appends') state.failsAppends = true
    else if (command.name === 'be-silent') state.mode = 'silent'
    else if (command.name === 'refuse') {
      state.mode = 'refusing'
      dropConnections()
    } else {
      state.mode = 'serving'
      state.failsAppends = false
    }
  }

  return {
    port,
    command: execute,
    counts: (): ReadCounts => ({ ...counts }),
    stop: (): void => {
      server.forceShutdown()
      stored.close()
    },
  }
}
