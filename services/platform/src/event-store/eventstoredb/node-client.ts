import { readFileSync } from 'node:fs'
import { convertToCommandError, EventStoreDBClient, type SingleNodeOptions } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb.js'
import operations from '@eventstore/db-client/generated/operations_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'

import { requireFilesOf } from './create-client.ts'

export type NodeAddress = { readonly address: string; readonly port: number }

/** A record found by a search of the whole log. */
export type NodeRecord = {
  readonly stream: string
  readonly type: string
  readonly position: bigint
  readonly at: Date
  readonly data: Uint8Array
}

/** 'in-progress': an earlier scavenge of the node is running. */
export type ScavengeStart = 'started' | 'in-progress'

/** A client of one node, for operations that concern a node and not the cluster. */
export type NodeClient = {
  /** All nodes of the cluster, including this one. */
  members(): Promise<readonly NodeAddress[]>
  startScavenge(): Promise<ScavengeStart>
  /** Records of the whole log whose type matches, newest first. The server filters them. */
  searchBackwards(typePattern: string): AsyncIterable<NodeRecord>
  close(): Promise<void>
}

const { MANAGER, SHUTDOWN } = gossip.MemberInfo.VNodeState
/** After searching this many records, the server checks whether the call was canceled. */
const searchWindow = 1_000
const ticksPerMs = 10_000

const commandError = (error: unknown): Error =>
  error instanceof Error ? convertToCommandError(error) : new Error(String(error))

const searchRequest = (typePattern: string): streams.ReadReq => {
  const all = new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty())
  const byType = new streams.ReadReq.Options.FilterOptions.Expression().setRegex(typePattern)
  const filter = new streams.ReadReq.Options.FilterOptions().setEventType(byType).setMax(searchWindow)
  const options = new streams.ReadReq.Options()
    .setAll(all)
    .setReadDirection(streams.ReadReq.Options.ReadDirection.BACKWARDS)
    .setCount(String(Number.MAX_SAFE_INTEGER))
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setFilter(filter)
  return new streams.ReadReq().setOptions(options)
}

const recordIn = (message: unknown): NodeRecord | undefined => {
  if (!(message instanceof streams.ReadResp)) return undefined
  const event = message.getEvent()?.getEvent()
  if (event === undefined) return undefined
  const metadata = event.getMetadataMap()
  return {
    stream: Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8'),
    type: metadata.get('type') ?? '',
    position: BigInt(event.getPreparePosition()),
    at: new Date(Number(metadata.get('created')) / ticksPerMs),
    data: event.getData_asU8(),
  }
}

/** Adds calls that the client does not offer. They use its connection, credentials and certificates. */
class OneNode extends EventStoreDBClient {
  async membersOfCluster(): Promise<readonly NodeAddress[]> {
    const info = await this.execute(
      GossipClient,
      'gossip',
      (client) =>
        new Promise<gossip.ClusterInfo>((resolve, reject) => {
          client.read(new shared.Empty(), ...this.callArguments({}), (error, answer) =>
            error === null ? resolve(answer) : reject(commandError(error)),
          )
        }),
    )
    return info
      .getMembersList()
      .filter((member) => member.getState() !== MANAGER && member.getState() !== SHUTDOWN)
      .flatMap((member) => {
        const at = member.getHttpEndPoint()
        return at === undefined ? [] : [{ address: at.getAddress(), port: at.getPort() }]
      })
  }

  startScavenge(): Promise<ScavengeStart> {
    const options = new operations.StartScavengeReq.Options().setThreadCount(1).setStartFromChunk(0)
    const request = new operations.StartScavengeReq().setOptions(options)
    return this.execute(
      OperationsClient,
      'startScavenge',
      (client) =>
        new Promise<ScavengeStart>((resolve, reject) => {
          client.startScavenge(request, ...this.callArguments({}), (error, answer) => {
            if (error !== null) return reject(commandError(error))
            const isOther = answer.getScavengeResult() === operations.ScavengeResp.ScavengeResult.INPROGRESS
            resolve(isOther ? 'in-progress' : 'started')
          })
        }),
    )
  }

  async *searchBackwards(typePattern: string): AsyncGenerator<NodeRecord> {
    const open = this.GRPCStreamCreator(StreamsClient, 'searchBackwards', (client) =>
      client.read(searchRequest(typePattern), ...this.callArguments({}, { deadline: Number.POSITIVE_INFINITY })),
    )
    const call = await open()
    try {
      for await (const message of call) {
        const record = recordIn(message)
        if (record !== undefined) yield record
      }
    } catch (error) {
      throw commandError(error)
    } finally {
      call.cancel()
    }
  }
}

/** The hosts of a connection string, in order. */
export const hostsOf = (url: string): readonly NodeAddress[] => parseConnectionString(url).hosts

/** A client of one node, with the credentials and certificates of the connection string. */
export const connectToNode = (url: string, endpoint: NodeAddress, setting?: string): NodeClient => {
  requireFilesOf(url, setting)
  const { tls, tlsCAFile, userCertFile, userKeyFile, defaultCredentials } = parseConnectionString(url)
  const certificates = {
    insecure: tls === false,
    ...(tlsCAFile !== undefined && { rootCertificate: readFileSync(tlsCAFile) }),
    ...(userCertFile !== undefined && { userCertFile: readFileSync(userCertFile) }),
    ...(userKeyFile !== undefined && { userKeyFile: readFileSync(userKeyFile) }),
  }
  const settings: SingleNodeOptions = { endpoint }
  const node = new OneNode(settings, certificates, defaultCredentials)
  return {
    members: () => node.membersOfCluster(),
    startScavenge: () => node.startScavenge(),
    searchBackwards: (typePattern) => node.searchBackwards(typePattern),
    close: () => node.dispose(),
  }
}
