import { randomUUID } from 'node:crypto'
import {
  AccessDeniedError,
  BACKWARDS,
  EventStoreDBClient,
  jsonEvent,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { withTimeout } from '../async/timeout.ts'

const deadlineMs = 8_000
const dateTimeoutMs = 2_000

/** Categories of the streams that the portal's processes append to. */
export const portalCategories = [
  'user',
  'registration',
  'reset',
  'session',
  'setup',
  'university',
  'program',
  'enrollment',
  'campaign',
  'device',
  'inbox',
  'operation',
] as const
export const allStream = '$all'
export const keyStreams = 'userkey!'

export type Right = {
  /** `$all`, a category, or `keyStreams`. */
  readonly of: string
  readonly action: 'read' | 'append' | 'delete'
  readonly isGranted: boolean
}

export type EventStoreReport = {
  readonly user: string | undefined
  readonly rights: readonly Right[]
  /** Of its clock to ours, to about a second; undefined where it cannot be seen. */
  readonly clockAheadMs: number | undefined
}

/** No stream gets so long, so that the server refuses what is tried here, after it has looked at the rights. */
const revisionThatNeverComes = 2n ** 40n

const isGranted = async (attempt: () => Promise<unknown>): Promise<boolean> => {
  try {
    await attempt()
    return true
  } catch (error) {
    if (error instanceof AccessDeniedError) return false
    // Rights are looked at first: the stream is not there, or its revision is not that one.
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
  const expected = { expectedRevision: revisionThatNeverComes, ...calls }
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

/** The server says what time it is with each answer over HTTP, where it speaks that. */
const clockAhead = async (url: string): Promise<number | undefined> => {
  const host = /^[^:]+:\/\/(?:[^@/?]+@)?([^,/?]+)/.exec(url)?.[1]
  if (host === undefined) return undefined
  const scheme = /[?&]tls=false/i.test(url) ? 'http' : 'https'
  const askedAtMs = Date.now()
  try {
    const answer = await fetch(`${scheme}://${host}/info`, { signal: AbortSignal.timeout(dateTimeoutMs) })
    await answer.body?.cancel()
    const date = Date.parse(answer.headers.get('date') ?? '')
    // Its seconds have no fraction.
    return Number.isNaN(date) ? undefined : date + 500 - (askedAtMs + Date.now()) / 2
  } catch {
    return undefined // a stand-in, or a certificate that only the address vouches for
  }
}

/** Tries each right that the portal needs, without writing anything. Rejects when the server does not answer in time. */
export const inspectEventStore = async (url: string): Promise<EventStoreReport> => {
  const client = EventStoreDBClient.connectionString(url)
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
    for (const action of ['read', 'append', 'delete'] as const)
      rights.push(await right(keyStreams, `${keyStreams}!doctor`, action))
    return rights
  }
  try {
    const rights = await withTimeout(tryAll(), deadlineMs, 'the answer of EventStoreDB')
    return { user: login?.username, rights, clockAheadMs: await clockAhead(url) }
  } finally {
    void client.dispose().catch(() => undefined)
  }
}

/** Lets a user read `$all`, beside whoever may do so already. `url` names an administrator. */
export const grantReadingAll = async (url: string, user: string): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url)
  const login = loginOf(url)
  const calls = { requiresLeader: true, ...(login && { credentials: login }) }
  const grant = async (): Promise<void> => {
    const { metadata } = await client.getStreamMetadata(allStream, calls)
    const acl = metadata?.acl ?? {}
    const readRoles = [...new Set([...(acl.readRoles ?? ['$admins']), user])]
    await client.setStreamMetadata(allStream, { ...metadata, acl: { ...acl, readRoles } }, calls)
  }
  try {
    await withTimeout(grant(), deadlineMs, 'the answer of EventStoreDB')
  } finally {
    void client.dispose().catch(() => undefined)
  }
}
