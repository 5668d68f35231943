import type { PortalSocket } from './connections.ts'
import type { SocketLimits } from './limits.ts'

export type EngineConnection = PortalSocket['conn']

/** The limit that a connection counts towards before it authenticates. */
export type ConnectionOwner =
  /** The handshake carried a valid session, so the connection counts only for its user. */
  { readonly kind: 'user'; readonly id: string } | { readonly kind: 'address'; readonly id: string }

type Waiting = {
  readonly group: Set<EngineConnection>
  readonly key: string
  readonly isAnonymous: boolean
  readonly sinceMs: number
}

type UnidentifiedDeps = {
  readonly limits: Pick<
    SocketLimits,
    'maxUnidentified' | 'maxUnidentifiedPerAddress' | 'maxSocketsPerUser' | 'identifyWithinMs'
  >
  nowMs(): number
}

/**
 * Closes a connection immediately on any transport. Engine.IO's `close()` waits 30 s for a poll that an attacker
 * never sends; `discard` skips that. A web socket has the same wait for its close frame.
 */
export const closeNow = (connection: EngineConnection): void => {
  const { transport } = connection
  connection.close(true)
  // A polling transport that waits for its poll ignores the discard.
  if (connection.readyState !== 'closed') transport.emit('close')
  const webSocket: unknown = 'socket' in transport ? transport.socket : undefined
  if (typeof webSocket !== 'object' || webSocket === null || !('terminate' in webSocket)) return
  if (typeof webSocket.terminate === 'function') webSocket.terminate()
}

/**
 * Unauthenticated connections. They have their own limits, in total and per address, and a timeout. A new
 * connection replaces the oldest. Clients need one round trip to authenticate, so a flood mostly displaces itself
 * and legitimate clients get through.
 */
export const createUnidentified = ({ limits, nowMs }: UnidentifiedDeps) => {
  /** Connections that have not identified themselves, in the order of arrival. */
  const waiting = new Map<EngineConnection, Waiting>()
  const groups = new Map<string, Set<EngineConnection>>()
  let anonymous = 0
  let closed = 0

  function onClose(this: EngineConnection): void {
    forget(this)
  }
  const forget = (connection: EngineConnection): boolean => {
    const entry = waiting.get(connection)
    if (!entry) return false
    waiting.delete(connection)
    connection.off('close', onClose)
    entry.group.delete(connection)
    if (entry.group.size === 0) groups.delete(entry.key)
    if (entry.isAnonymous) anonymous -= 1
    return true
  }
  const end = (connection: EngineConnection): void => {
    if (!forget(connection)) return
    closed += 1
    closeNow(connection)
  }
  const oldestAnonymous = (): EngineConnection | undefined => {
    for (const [connection, { isAnonymous }] of waiting) if (isAnonymous) return connection
    return undefined
  }
  const makeRoom = (oldest: EngineConnection | undefined): void => {
    if (oldest) end(oldest)
  }

  return {
    add: (connection: EngineConnection, { kind, id }: ConnectionOwner): void => {
      const isAnonymous = kind === 'address'
      const key = `${kind} ${id}`
      const most = isAnonymous ? limits.maxUnidentifiedPerAddress : limits.maxSocketsPerUser
      if ((groups.get(key)?.size ?? 0) >= most) makeRoom(groups.get(key)?.values().next().value)
      if (isAnonymous && anonymous >= limits.maxUnidentified) makeRoom(oldestAnonymous())
      const group = groups.get(key) ?? new Set()
      groups.set(key, group.add(connection))
      waiting.set(connection, { group, key, isAnonymous, sinceMs: nowMs() })
      if (isAnonymous) anonymous += 1
      connection.on('close', onClose)
    },
    identified: (connection: EngineConnection): void => void forget(connection),
    /** Closes connections past the timeout. Returns how many were closed since the last sweep, for any reason. */
    sweep: (): number => {
      const latestMs = nowMs() - limits.identifyWithinMs
      for (const [connection, { sinceMs }] of waiting) {
        if (sinceMs > latestMs) break
        end(connection)
      }
      const count = closed
      closed = 0
      return count
    },
    get count() {
      return waiting.size
    },
  }
}
