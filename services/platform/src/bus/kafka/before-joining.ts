import { type Cluster, PartitionAssigners, type PartitionAssigner } from 'kafkajs'

export type BeforeJoining = {
  /** Resolves when what was assigned may be given to another member. */
  letGo(): Promise<void>
  /** The member that an earlier connection of this consumer was, if Kafka may still take it for alive. */
  formerMember(): string | undefined
}

type CanLeave = { leaveGroup(member: { groupId: string; memberId: string }): Promise<unknown> }
const canLeave = (broker: object): broker is CanLeave => 'leaveGroup' in broker

/**
 * kafkajs joins a group again without asking anybody. Before it does, it looks for the group's coordinator; here that waits
 * until the batches under way are done, since nobody is given a partition before all members have joined. And a member
 * of this consumer whose connection was thrown away leaves, instead of being waited for until its session has run out.
 */
export const assignerThatLetsGo =
  ({ letGo, formerMember }: BeforeJoining): PartitionAssigner =>
  (config) => {
    const { cluster, groupId } = config
    const findCoordinator = cluster.findGroupCoordinator.bind(cluster)
    const findCoordinatorLater: Cluster['findGroupCoordinator'] = async (group) => {
      await letGo()
      const coordinator = await findCoordinator(group)
      const memberId = formerMember()
      // Should it fail, the session of that member runs out by itself.
      if (memberId !== undefined && canLeave(coordinator)) {
        await coordinator.leaveGroup({ groupId, memberId }).catch(() => undefined)
      }
      return coordinator
    }
    cluster.findGroupCoordinator = findCoordinatorLater
    return PartitionAssigners.roundRobin(config)
  }
