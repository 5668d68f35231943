import { setTimeout as sleep } from 'node:timers/promises'
import { AccessDeniedError } from '@eventstore/db-client'
import { withTimeout } from '../../async/timeout.ts'
import {
  connectToNode,
  type NodeAddress,
  type NodeClient,
  type StartedScavenge,
} from '../../event-store/eventstoredb/node-client.ts'
import { closeNode, completedType, connectToCluster, countErasedKeys, parseCompleted } from './count-erased-keys.ts'
import type { ErasedKeysOnDisk } from './erased-keys-tally.ts'

export type ScavengeProgress = {
  readonly step: 'scavenging'
  readonly node: string
  /** The number of chunks that the server has scavenged or merged. */
  readonly steps: number
}

export type ScavengeOutcome =
  | {
      readonly kind: 'scavenged'
      readonly nodes: readonly string[]
      readonly before: ErasedKeysOnDisk
      readonly after: ErasedKeysOnDisk
    }
  | { readonly kind: 'denied' }
  /** The scavenge of a node failed, or the node stopped responding. */
  | { readonly kind: 'failed'; readonly node: string; readonly why: string }

export type ScavengeOptions = {
  readonly signal: AbortSignal
  readonly onProgress: (progress: ScavengeProgress) => void
  readonly pollMs?: number
}

/** The first round may complete an interrupted scavenge, the second removes later erasures, the third is a reserve. */
const maxRounds = 3
const countTimeoutMs = 600_000
const startTimeoutMs = 30_000
/** A restarted node responds within this time and reports the scavenge as interrupted. */
const silenceMs = 120_000

const nameOf = ({ address, port }: NodeAddress): string => `${address}:${port}`

type NodeOutcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly why: string }

/** Waits for the end of a scavenge while the node responds, without a timeout. */
const waitForEnd = async (
  node: NodeClient,
  id: string,
  name: string,
  { signal, onProgress, pollMs = 500 }: ScavengeOptions,
): Promise<NodeOutcome> => {
  let respondedAtMs = performance.now()
  for (;;) {
    try {
      const newest = await node.readNewest(`$scavenges-${id}`)
      respondedAtMs = performance.now()
      if (newest?.type === completedType) {
        const { result, error } = parseCompleted(newest.data)
        return result === 'Success' ? { kind: 'done' } : { kind: 'failed', why: error ? `${result}: ${error}` : result }
      }
      onProgress({ step: 'scavenging', node: name, steps: newest?.revision ?? 0 })
    } catch (error) {
      if (error instanceof AccessDeniedError) throw error
      if (performance.now() - respondedAtMs > silenceMs) return { kind: 'failed', why: 'it stopped responding' }
    }
    await sleep(pollMs, undefined, { signal })
  }
}

const start = async (node: NodeClient): Promise<StartedScavenge | string> => {
  try {
    return await withTimeout(node.startScavenge(), startTimeoutMs, 'Starting it')
  } catch (error) {
    if (error instanceof AccessDeniedError) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/** Scavenges one node. Waits for a running scavenge first, because it does not cover later erasures. */
const scavengeNode = async (node: NodeClient, name: string, options: ScavengeOptions): Promise<NodeOutcome> => {
  for (;;) {
    const started = await start(node)
    if (typeof started === 'string') return { kind: 'failed', why: started }
    const outcome = await waitForEnd(node, started.id, name, options)
    if (started.kind === 'started' || outcome.kind === 'failed') return outcome
  }
}

/**
 * Removes the keys of erased users from the disks of all nodes, one node after the other. `url` names a member of $ops or $admins. The
 * signal only stops the waiting; the server continues.
 */
export const scavengeEventStore = async (url: string, options: ScavengeOptions): Promise<ScavengeOutcome> => {
  const cluster = await connectToCluster(url)
  const { members } = cluster
  // A single node may be unreachable at its advertised address.
  const nodes =
    members.length > 1 ? members.map((member) => ({ name: nameOf(member), client: connectToNode(url, member) })) : []
  const all = nodes.length > 0 ? nodes : [{ name: members[0] ? nameOf(members[0]) : 'the node', client: cluster.node }]
  try {
    const before = await countErasedKeys(cluster, { timeoutMs: countTimeoutMs })
    let after = before
    for (let round = 0; round < maxRounds && (round === 0 || after.keys > 0); round++) {
      for (const { name, client } of all) {
        const outcome = await scavengeNode(client, name, options)
        if (outcome.kind === 'failed') return { ...outcome, node: name }
      }
      after = await countErasedKeys(cluster, { timeoutMs: countTimeoutMs })
    }
    return { kind: 'scavenged', nodes: all.map(({ name }) => name), before, after }
  } catch (error) {
    if (error instanceof AccessDeniedError) return { kind: 'denied' }
    throw error
  } finally {
    await Promise.all([cluster.node, ...nodes.map(({ client }) => client)].map(closeNode))
  }
}
