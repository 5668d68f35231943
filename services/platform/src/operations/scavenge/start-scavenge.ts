import { AccessDeniedError } from '@eventstore/db-client'
import { isLoginRejected } from '../../event-store/eventstoredb/access-error.ts'
import { withTimeout } from '../../async/timeout.ts'
import { connectToNode, hostsOf, type ScavengeStart } from '../../event-store/eventstoredb/node-client.ts'
import { closeNode } from '../search-log.ts'

type ScavengeOptions = {
  /** The setting with the address, for errors. */
  readonly setting?: string
  readonly timeoutMs?: number
}

/** Starts a scavenge of the node that `url` names with a member of $ops or $admins. The server continues it alone. */
export const startScavenge = async (
  url: string,
  { setting, timeoutMs = 30_000 }: ScavengeOptions = {},
): Promise<ScavengeStart | 'denied'> => {
  const [host] = hostsOf(url)
  if (host === undefined) throw new Error('The address names no node')
  const node = connectToNode(url, host, setting)
  try {
    return await withTimeout(node.startScavenge(), timeoutMs, 'The response of EventStoreDB')
  } catch (error) {
    if (error instanceof AccessDeniedError && !isLoginRejected(error)) return 'denied'
    throw error
  } finally {
    await closeNode(node)
  }
}
