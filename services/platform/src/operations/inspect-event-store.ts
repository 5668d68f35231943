import { randomUUID } from 'node:crypto'
import {
  AccessDeniedError,
  BACKWARDS,
  type EventStoreDBClient,
  jsonEvent,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { withTimeout } from '../async/timeout.ts'
import { createClient } from '../event-store/eventstoredb/create-client.ts'
import { isLoginRejected } from '../event-store/eventstoredb/access-error.ts'

type CallOptions = {
  readonly requiresLeader: boolean
  readonly credentials?: { readonly username: string; readonly password: string }
}

const inspectTimeoutMs = 8_000
const dateTimeoutMs = 2_000

/** Categories of the streams that the portal's processes append to. */
export const portalCategories = [
  'user',
  'registration',
  'reset',
  'session',
  'setup',
  'admins',
  'apiKeys',
  'apiKeyUse',
  'secondfactor',
  'invitation',
  'university',
  'program',
  'enrollment',
  'learnerInvitation',
  'campaign',
  'device',
  'inbox',
  'preferences',
  'draft',
  'template',
  'mail',
  'audit',
  'operation',
] as const
export const allStream = '$all'
export const keyStreams = 'userkey!'
/** Of a portal in one process (event-store/eventstoredb/sole-writer.ts). */
export const writerStream = 'writer!state'

export type Right = {
  /** `$all`, a category, `writerStream`, or `keyStreams`. */
  readonly of: string
  readonly action: 'read' | 'append' | 'delete'
  readonly isGranted: boolean
}

export type EventStoreReport = {
  readonly user: string | undefined
  readonly rights: readonly Right[]
  /** How far its clock is ahead of ours, to about a second; undefined if unknown. */
  readonly clockAheadMs: number | undefined
}

/** A revision that no stream reaches: the server checks the rights first, then rejects the write. */
const unreachableRevision = 2n ** 40n

const isGranted = async (attempt: () => Promise<unknown>): Promise<boolean> => {
  try {
    await attempt()
    return true
  } catch (error) {
    if (isLoginRejected(error)) throw error
    if (error instanceof AccessDeniedError) return false
    // The server checks rights first, so these errors mean that access was granted.
    if (error instanceof StreamNotFoundError || error instanceof WrongExpectedVersionError) return true
    throw error
  }
}

const all = async (read: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const found: unknown[] = []
  for await (const one of read) found.push(one)
  return found
}

const loginOf = (url: string): { readonly username: string; readonly password: string } | undefined => {
  const [, login] = /^[^:]+:\/\/([^@/?]+)@/.exec(url) ?? []
  if (login === undefined) return undefined
  const [username = '', ...password] = login.split(':')
  return { username: decodeURIComponent(username), password: decodeURIComponent(password.join(':')) }
}

const rightsOn = (client: EventStoreDBClient, url: string) => {
  const credentials = loginOf(url)
  const calls = { requiresLeader: true, ...(credentials && { credentials }) }
  const expected = { expectedRevision: unreachableRevision, ...calls }
  const actions = {
    read: (stream: string) => all(client.readStream(stream, { maxCount: 1, ...calls })),
    append: (stream: string) =>
      client.appendToStream(stream, jsonEvent({ id: randomUUID(), type: 'RightsTried', data: {} }), expected),
    delete: (stream: string) => client.tombstoneStream(stream, expected),
  }
  return async (of: string, stream: string, action: Right['action']): Promise<Right> => ({
    of,
    action,
    isGranted: await isGranted(() => actions[action](stream)),
  })
}

/** Reads the server's clock from the Date header of an HTTP response. */
const clockAhead = async (url: string): Promise<number | undefined> => {
  const host = /^[^:]+:\/\/(?:[^@/?]+@)?([^,/?]+)/.exec(url)?.[1]
  if (host === undefined) return undefined
  const scheme = /[?&]tls=false/i.test(url) ? 'http' : 'https'
  const sentAtMs = Date.now()
  try {
    const response = await fetch(`${scheme}://${host}/info`, { signal: AbortSignal.timeout(dateTimeoutMs) })
    await response.body?.cancel()
    const date = Date.parse(response.headers.get('date') ?? '')
    // The header has whole seconds, so add half a second on average.
    return Number.isNaN(date) ? undefined : date + 500 - (sentAtMs + Date.now()) / 2
  } catch {
    return undefined // a stand-in without HTTP, or a certificate that only EVENT_STORE_URL trusts
  }
}

/** Tries each right that the portal needs, without writing anything. Rejects on a timeout. */
export const inspectEventStore = async (url: string): Promise<EventStoreReport> => {
  const client = createClient(url)
  const right = rightsOn(client, url)
  const login = loginOf(url)
  const readAll = () =>
    all(
      client.readAll({ direction: BACKWARDS, maxCount: 1, requiresLeader: true, ...(login && { credentials: login }) }),
    )
  const tryAll = async (): Promise<readonly Right[]> => {
    const rights: Right[] = [{ of: allStream, action: 'read', isGranted: await isGranted(readAll) }]
    for (const category of portalCategories)
      for (const action of ['read', 'append'] as const)
        rights.push(await right(category, `${category}-!doctor`, action))
    for (const action of ['read', 'append'] as const) rights.push(await right(writerStream, writerStream, action))
    for (const action of ['read', 'append', 'delete'] as const)
      rights.push(await right(keyStreams, `${keyStreams}!doctor`, action))
    return rights
  }
  try {
    const rights = await withTimeout(tryAll(), inspectTimeoutMs, 'the response of EventStoreDB')
    return { user: login?.username, rights, clockAheadMs: await clockAhead(url) }
  } finally {
    void client.dispose().catch(() => undefined)
  }
}

/** Whether the server has a user, by the stream in which it keeps the user. Only administrators may read it. */
const hasUser = async (client: EventStoreDBClient, user: string, calls: CallOptions): Promise<boolean> => {
  try {
    await all(client.readStream(`$user-${user}`, { maxCount: 1, ...calls }))
    return true
  } catch (error) {
    if (error instanceof StreamNotFoundError || error instanceof StreamDeletedError) return false
    throw error
  }
}

/** Grants a user read access to `$all`, keeping existing grants. `url` names an administrator. */
export const grantReadingAll = async (url: string, user: string): Promise<'granted' | 'no-such-user'> => {
  const client = createClient(url, 'ADMIN_URL')
  const login = loginOf(url)
  const calls = { requiresLeader: true, ...(login && { credentials: login }) }
  const grant = async () => {
    if (!(await hasUser(client, user, calls))) return 'no-such-user' as const
    const { metadata } = await client.getStreamMetadata(allStream, calls)
    const acl = metadata?.acl ?? {}
    const readRoles = [...new Set([...(acl.readRoles ?? ['$admins']), user])]
    await client.setStreamMetadata(allStream, { ...metadata, acl: { ...acl, readRoles } }, calls)
    return 'granted' as const
  }
  try {
    return await withTimeout(grant(), inspectTimeoutMs, 'the response of EventStoreDB')
  } finally {
    void client.dispose().catch(() => undefined)
  }
}
