import { withTimeout } from '../async/timeout.ts'
import {
  connectToNode,
  hostsOf,
  type NodeAddress,
  type NodeClient,
  type NodeRecord,
} from '../event-store/eventstoredb/node-client.ts'

const answerTimeoutMs = 5_000
const closeTimeoutMs = 1_000

export const closeNode = (node: NodeClient): Promise<void> =>
  withTimeout(node.close(), closeTimeoutMs, 'Closing').catch(() => undefined)

type Cluster = {
  /** A node that responds. */
  readonly node: NodeClient
  readonly members: readonly NodeAddress[]
}

/** Connects to the first host that responds, and lists the members of its cluster. */
const connectToCluster = async (url: string): Promise<Cluster> => {
  let failure: unknown
  for (const host of hostsOf(url)) {
    const node = connectToNode(url, host)
    try {
      return { node, members: await withTimeout(node.members(), answerTimeoutMs, 'The response of EventStoreDB') }
    } catch (error) {
      failure = error
      await closeNode(node)
    }
  }
  throw failure
}

/** Rejects if no host of the address responds. */
export const withCluster = async <T>(url: string, work: (cluster: Cluster) => Promise<T>): Promise<T> => {
  const cluster = await connectToCluster(url)
  try {
    return await work(cluster)
  } finally {
    await closeNode(cluster.node)
  }
}

/**
 * Visits the records of the whole log whose type matches, newest first, until `visit` returns false. Returns false if the time was up
 * before that.
 */
export const searchLog = async (
  { node }: Pick<Cluster, 'node'>,
  { typePattern, timeoutMs }: { readonly typePattern: string; readonly timeoutMs: number },
  visit: (record: NodeRecord) => boolean,
): Promise<boolean> => {
  const search = node.searchBackwards(typePattern)[Symbol.asyncIterator]()
  const isLate = Symbol('late')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(() => resolve(isLate), timeoutMs)
  })
  try {
    for (;;) {
      const next = await Promise.race([search.next(), late])
      if (next === isLate) return false
      if (next.done === true || !visit(next.value)) return true
    }
  } finally {
    clearTimeout(timer)
    // Closing the connection ends a waiting search.
    void search.return?.()
  }
}
