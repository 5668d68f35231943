import { createRequire } from 'node:module'
import { isIP, connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  type Cluster,
  type Consumer,
  type ISocketFactory,
  type Kafka,
  type PartitionAssigner,
  PartitionAssigners,
} from 'kafkajs'
import type { Bounds, ConsumerPosition } from './cursor.ts'
import { parseBusPartition } from './topics.ts'

/**
 * All patches and workarounds for kafkajs 2.2.4, which is no longer maintained. The numbers are issues of github.com/tulios/kafkajs.
 */

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void }

/**
 * #1751, #1704: each connection polls its request queue with a negative timeout, which wakes up a thousand times a second and makes
 * Node warn. With this patch, the timer runs only while requests are pending.
 */
const stopIdlePolling = (): void => {
  const load = createRequire(import.meta.url)
  // kafkajs has no types for its internals. A test of this file fails if they change.
  const { prototype } = load('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue }
  const schedule = prototype.scheduleCheckPendingRequests
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this)
  }
}
stopIdlePolling()

const keepAliveMs = 60_000

export type TrackedConnections = {
  readonly socketFactory: ISocketFactory
  /** The number of connections that have closed. */
  lostCount(): number
  /** Closes all connections and rejects new ones. */
  destroy(): void
}

/**
 * #979: kafkajs reconnects without an event, perhaps to a Kafka that has lost its data. This counts closed connections, so that
 * the caller can compare offsets first. Without `canReconnect`, no connection is opened after the first has closed.
 * #1438: kafkajs opens connections while it disconnects, and leaks them. `destroy` closes them.
 */
export const trackConnections = ({ canReconnect }: { readonly canReconnect: boolean }): TrackedConnections => {
  const open = new Set<{ destroy(): unknown }>()
  const connecting = new Set<{ destroy(): unknown }>()
  let lost = 0
  let isDestroyed = false

  const onClose = () => {
    lost++
    if (canReconnect) return
    for (const socket of connecting) socket.destroy()
  }

  return {
    lostCount: () => lost,
    destroy() {
      isDestroyed = true
      for (const socket of open) socket.destroy()
    },
    socketFactory({ host, port, ssl, onConnect }) {
      if (isDestroyed) throw new Error('The connections to Kafka have been closed')
      if (!canReconnect && lost > 0) throw new Error('A connection was lost; offsets are compared before a new one')
      const onConnected = () => {
        connecting.delete(socket)
        onConnect()
      }
      // The type always has it; kafkajs passes it only with TLS.
      const tls: typeof ssl | undefined = ssl
      const socket = tls
        ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }), ...tls }, onConnected)
        : connectPlain({ host, port }, onConnected)
      socket.setKeepAlive(true, keepAliveMs)
      open.add(socket)
      connecting.add(socket)
      socket.once('close', () => {
        open.delete(socket)
        connecting.delete(socket)
        onClose()
      })
      return socket
    },
  }
}

/**
 * #853, #1579: kafkajs cannot read a message by offset without joining a group. Its cluster can, and kafkajs passes it to the
 * partition assigners of a consumer. This consumer never joins.
 */
export const clusterOf = (kafka: Kafka, groupId: string): Cluster => {
  let found: Cluster | undefined
  kafka.consumer({
    groupId,
    partitionAssigners: [
      (config) => {
        found = config.cluster
        return PartitionAssigners.roundRobin(config)
      },
    ],
    retry: { retries: 3 },
  })
  if (found === undefined) throw new Error('kafkajs did not call the partition assigner')
  return found
}

export type RebalanceHooks = {
  /** Resolves when the assigned partitions may be assigned to another member. */
  drain(): Promise<void>
  /** The member id of an earlier connection of this consumer, if Kafka may still wait for that member. */
  formerMemberId(): string | undefined
}

type LeavingBroker = { leaveGroup(member: { groupId: string; memberId: string }): Promise<unknown> }
const canLeaveGroup = (broker: object): broker is LeavingBroker => 'leaveGroup' in broker

/**
 * #1066: kafkajs does not wait for handlers of its REBALANCING event before it joins the group again. It does wait for the lookup of
 * the group coordinator, so that lookup waits for `drain` here. Kafka assigns no partition before all members have joined.
 * #638: kafkajs has no static membership. So a member whose connection was dropped leaves the group explicitly, and does not delay
 * the others until its session times out.
 */
export const drainBeforeRebalance =
  ({ drain, formerMemberId }: RebalanceHooks): PartitionAssigner =>
  (config) => {
    const { cluster, groupId } = config
    const findCoordinator = cluster.findGroupCoordinator.bind(cluster)
    const findCoordinatorAfterDrain: Cluster['findGroupCoordinator'] = async (group) => {
      await drain()
      const coordinator = await findCoordinator(group)
      const memberId = formerMemberId()
      // If this fails, the session of the former member times out.
      if (memberId !== undefined && canLeaveGroup(coordinator)) {
        await coordinator.leaveGroup({ groupId, memberId }).catch(() => undefined)
      }
      return coordinator
    }
    cluster.findGroupCoordinator = findCoordinatorAfterDrain
    return PartitionAssigners.roundRobin(config)
  }

const watchdogIntervalMs = 10_000
/** Longer than a rebalance or the restart of a broker. */
const maxSilenceMs = 30_000

type WatchedPartition = {
  /** The offset after the last handled message; undefined while messages are read from the log. */
  next(): bigint | undefined
  /** The last handled message. */
  position(): ConsumerPosition
  isIdle(): boolean
}

type WatchdogOptions = {
  readonly kafka: Pick<Consumer, 'on' | 'events'>
  readonly partitions: () => ReadonlyMap<string, WatchedPartition>
  bounds(topic: string): Promise<ReadonlyMap<number, Bounds>>
  /** The position of the message at an offset; undefined if there is none. */
  positionAt(topic: string, partition: number, offset: bigint): Promise<string | undefined>
}

/** A partition is stalled if an idle consumer stays at the same offset before the end for two checks. */
const createStallDetector = () => {
  const waiting = new Map<string, bigint>()
  return (name: string, partition: WatchedPartition, high: bigint): boolean => {
    const next = partition.next()
    const isWaiting = next !== undefined && partition.isIdle() && next !== high
    const isStalled = isWaiting && waiting.get(name) === next
    if (isWaiting) waiting.set(name, next)
    else waiting.delete(name)
    return isStalled
  }
}

/**
 * A topic that was deleted and created again may have been filled to exactly the offset of an idle consumer. Then the last message
 * is another one than was handled, or than an earlier check found there. One partition shows it for the whole topic.
 */
const createReplacementDetector = () => {
  const seen = new Map<string, { readonly next: bigint; readonly position: string | undefined }>()
  return (name: string, next: bigint, handled: ConsumerPosition, inKafka: string | undefined): boolean => {
    const before = seen.get(name)
    seen.set(name, { next, position: inKafka })
    const known = handled.offset === next - 1n ? handled.position : undefined
    const expected = known ?? (before?.next === next ? before.position : undefined)
    return expected !== undefined && inKafka !== expected
  }
}

/**
 * #659, #1072: a consumer can stop fetching without an error, from one partition or from all. It also follows a topic that was
 * deleted and created again without one, and a new connection compares offsets. `stalled` then rejects, and the caller replaces
 * the connection.
 */
export const startWatchdog = ({ kafka, partitions, bounds, positionAt }: WatchdogOptions) => {
  const stalled = Promise.withResolvers<never>()
  const isStalled = createStallDetector()
  const isReplaced = createReplacementDetector()
  let lastFetchAtMs = performance.now()
  let isChecking = false
  let isStopped = false
  const removeListener = kafka.on(kafka.events.FETCH, () => {
    lastFetchAtMs = performance.now()
  })

  const checkLastMessage = async (topic: string, found: ReadonlyMap<number, Bounds>) => {
    for (const [name, partition] of partitions()) {
      const topicPartition = parseBusPartition(name)
      const held = topicPartition.topic === topic ? found.get(topicPartition.partition) : undefined
      const next = partition.next()
      if (held === undefined || next !== held.high || next === held.low || !partition.isIdle()) continue
      const inKafka = await positionAt(topic, topicPartition.partition, next - 1n)
      if (isStopped || partition.next() !== next) return
      if (isReplaced(name, next, partition.position(), inKafka)) {
        stalled.reject(new Error(`Kafka has another message of ${name} than was handled`))
      }
      return
    }
  }

  const checkPartitions = async () => {
    const topics = new Set([...partitions().keys()].map((name) => parseBusPartition(name).topic))
    for (const topic of topics) {
      // Read first, so that messages handled meanwhile are not compared.
      const handled = new Map([...partitions()].map(([name, partition]) => [name, partition.next() ?? 0n]))
      const found = await bounds(topic)
      for (const [name, partition] of partitions()) {
        const topicPartition = parseBusPartition(name)
        const high = topicPartition.topic === topic ? found.get(topicPartition.partition)?.high : undefined
        if (high === undefined || isStopped) continue
        if (high < (handled.get(name) ?? 0n)) {
          stalled.reject(new Error(`Kafka has lost messages of ${name} that were handled`))
        } else if (isStalled(name, partition, high)) {
          stalled.reject(new Error(`No messages are fetched from ${name}, which has more than were handled`))
        }
      }
      await checkLastMessage(topic, found)
    }
  }

  const check = async () => {
    if (performance.now() - lastFetchAtMs > maxSilenceMs) {
      stalled.reject(new Error(`No fetch for ${maxSilenceMs / 1_000} s`))
    }
    if (isChecking) return
    isChecking = true
    try {
      await checkPartitions()
    } catch {
      // Kafka does not answer, so nothing can be concluded.
    } finally {
      isChecking = false
    }
  }

  const timer = setInterval(() => void check(), watchdogIntervalMs)
  return {
    stalled: stalled.promise,
    stop() {
      isStopped = true
      clearInterval(timer)
      removeListener()
    },
  }
}
