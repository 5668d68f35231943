import { randomUUID } from 'node:crypto'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'

/** What a cluster of one says of itself: clients that are given several hosts, or one to discover others by, ask for it. */
export const clusterOfOne = (host: string, port: number): gossip.ClusterInfo => {
  const leader = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(randomUUID()))
    .setTimeStamp(String(Date.now()))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
  return new gossip.ClusterInfo().setMembersList([leader])
}
