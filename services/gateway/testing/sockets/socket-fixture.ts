import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import { promisify } from 'node:util'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { ClientToServer, InboxChanged, ServerToClient } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import {
  type NotificationId,
  notificationIdSchema,
  type SessionId,
  sessionIdSchema,
  type UserId,
  userIdSchema,
} from '@portal/contracts/shared/ids'
import type { Bus, Consumer, Cursor } from '@portal/platform/bus/port'
import type { HostRule } from '@portal/platform/http/allowed-hosts'
import type { IsTrustedProxy } from '@portal/platform/http/client-address'
import { createMemorySecurityLog } from '@portal/platform/testing/security-log/memory-security-log'
import type { Session } from '@portal/platform/session/session'
import { pino } from 'pino'
import type { ServerOptions } from 'socket.io'
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { createConnections } from '../../src/sockets/connections.ts'
import { defaultSocketLimits, type SocketLimits } from '../../src/sockets/limits.ts'
import type { SeenSink } from '../../src/sockets/ports.ts'
import { createSeenCounter } from '../../src/sockets/seen-counter.ts'
import { createSockets, type Sockets } from '../../src/sockets/socket-server.ts'
import { createMemoryInbox } from './memory-inbox.ts'

const uuidOf = (kind: string, number: number) =>
  `0199a7c0-0000-7000-8${kind}00-${number.toString(16).padStart(12, '0')}`
export const userIdOf = (number: number): UserId => userIdSchema.parse(uuidOf('0', number))
export const sessionIdOf = (number: number): SessionId => sessionIdSchema.parse(uuidOf('1', number))
export const notificationIdOf = (number: number): NotificationId => notificationIdSchema.parse(uuidOf('2', number))

export type Client = Socket<ServerToClient, ClientToServer>

/** A bus on which the test publishes. */
const createTestBus = () => {
  let consumer: Consumer | undefined
  let position = 0
  let isBehind = false
  const bus: Bus = {
    consume: async (started) => {
      consumer = started
      return { startedAt: {}, stop: async () => void (consumer = undefined) }
    },
    hasReached: () => !isBehind,
    check: async () => undefined,
    close: async () => undefined,
  }
  const publish = async (topic: Topic, key: string, type: string, data: object): Promise<string> => {
    position += 1
    const text = String(position).padStart(12, '0')
    const envelope = { id: text, topic, key, position: text, type, at: '2026-11-21T10:00:00.000Z', data }
    await consumer?.handle([{ envelope, busPartition: topic, cursor: text as Cursor }]) // opaque to the consumer
    return text
  }
  return {
    bus,
    publish,
    /** Whether other consumers have yet to handle the messages from before this one started. */
    setBehind: (value: boolean) => void (isBehind = value),
    /** Loses messages before the next one. */
    loseMessages: () => consumer?.onGap?.(),
  }
}

/** The progress of a projection, controlled by the test. */
const createProjectionProgress = () => {
  let applied: string | undefined
  const lost = new Set<string>()
  const waiting = new Set<() => void>()
  return {
    /** The message at this position is never applied, because the log no longer has it. */
    lose: (position: string) => void lost.add(position),
    hold: () => void (applied = ''),
    release: () => {
      applied = undefined
      for (const check of waiting) check()
    },
    applied: (_partition: string, position: string): Promise<boolean> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (lost.has(position) || (applied !== undefined && position > applied)) return void waiting.add(check)
          waiting.delete(check)
          resolve(true)
        }
        check()
      }),
  }
}

/** Verifies tokens of the form `user:session[:role]`, once `beforeCheck` resolves. */
const createTokens = (beforeCheck: (() => Promise<void>) | undefined) => {
  const withdrawn = new Set<string>()
  let areChecksFailing = false
  let expiresAt = new Date('2026-11-28T10:00:00.000Z')
  const sessionOf = (token: string): Session | undefined => {
    const [user, session, role = 'student'] = token.split(':')
    if (withdrawn.has(token)) return undefined
    if (!user || !session || user === 'nobody') return undefined
    return {
      userId: userIdOf(Number(user)),
      sessionId: sessionIdOf(Number(session)),
      role: role === 'admin' ? 'admin' : 'student',
      expiresAt,
    }
  }
  return {
    verify: async (token: string): Promise<Session | undefined> => {
      await beforeCheck?.()
      if (areChecksFailing) throw new Error('Neither the denylist nor auth is available')
      return sessionOf(token)
    },
    /** Invalidates the token without an event. */
    withdraw: (token: string) => void withdrawn.add(token),
    setExpiry: (date: string) => void (expiresAt = new Date(date)),
    failChecks: (areFailing: boolean) => void (areChecksFailing = areFailing),
  }
}

/** Clients of the server at this URL. */
const createClients = (address: string) => {
  const clients: Client[] = []
  const open = (token: string | undefined, more: Partial<ManagerOptions & SocketOptions> = {}): Client => {
    const client: Client = io(address, {
      ...(token === undefined ? {} : { auth: { token } }),
      transports: ['websocket'],
      forceNew: true,
      reconnectionDelay: 20,
      reconnectionDelayMax: 20,
      ...more,
    })
    clients.push(client)
    return client
  }
  /** Connects and waits for the initial inbox state. `features`: as a client declares them; older ones do not. */
  const connect = async (
    token: string,
    features?: readonly string[],
  ): Promise<{ readonly client: Client; readonly messages: InboxChanged[] }> => {
    const client = open(token, features && { auth: { token, features } })
    const messages: InboxChanged[] = []
    client.on('inbox:changed', (message) => messages.push(message))
    await nextMessage(client, 'inbox:changed')
    return { client, messages }
  }
  const closeAll = (): void => {
    for (const client of clients) client.close()
  }
  return { open, connect, closeAll }
}

const listen = async (server: HttpServer): Promise<string> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('no port')
  return `http://127.0.0.1:${listening.port}`
}

export type SocketFixture = Awaited<ReturnType<typeof startSocketFixture>>

/** The socket server on a real port, with test doubles for its ports. */
export const startSocketFixture = async (
  options: {
    readonly limits?: Partial<SocketLimits>
    readonly adapter?: ServerOptions['adapter']
    readonly seen?: SeenSink
    /** The inbox projection has yet to apply messages from before the gateway's start. */
    readonly isProjectionBehind?: boolean
    readonly publicOrigin?: string
    readonly hosts?: HostRule
    readonly isTrusted?: IsTrustedProxy
    /** Holds each session check until it resolves. */
    readonly beforeCheck?: () => Promise<void>
  } = {},
) => {
  const server = createServer((_request, response) => response.end())
  const connections = createConnections()
  const seenCounter = createSeenCounter(connections)
  const inbox = createMemoryInbox()
  const inboxProgress = createProjectionProgress()
  const catalogProgress = createProjectionProgress()
  const audienceProgress = createProjectionProgress()
  const { bus, publish, setBehind, loseMessages } = createTestBus()
  setBehind(options.isProjectionBehind ?? false)
  const positions: Record<string, string> = {}
  const campaigns = new Map<NotificationId, CampaignProgress>()
  const seen: { readonly userId: UserId; readonly seq: number; readonly epoch: string }[] = []
  const { verify, withdraw, setExpiry, failChecks } = createTokens(options.beforeCheck)
  const securityLog = createMemorySecurityLog()
  const logged: string[] = []
  let now = new Date('2026-11-21T10:00:00.000Z')

  const sockets: Sockets = createSockets({
    server,
    bus,
    sessions: { verify },
    connections,
    seenCounter,
    inbox: inbox.reader,
    progress: {
      inboxApplied: inboxProgress.applied,
      inboxProgress: {
        topics: ['notifications'],
        cursors: async () => ({}),
        positions: async () => ({ ...positions }),
      },
      programsApplied: catalogProgress.applied,
      enrollmentsApplied: catalogProgress.applied,
      audienceApplied: audienceProgress.applied,
      learnerInvitationsApplied: audienceProgress.applied,
      draftsApplied: inboxProgress.applied,
      templatesApplied: inboxProgress.applied,
    },
    campaigns: { progressOf: async (ids) => ids.map((id) => campaigns.get(id)) },
    seen: options.seen ?? ((userId, seq, epoch) => void seen.push({ userId, seq, epoch })),
    ...(options.adapter && { adapter: options.adapter }),
    limits: { ...defaultSocketLimits, ...options.limits },
    publicOrigin: options.publicOrigin,
    hosts: options.hosts,
    ...(options.isTrusted && { isTrusted: options.isTrusted }),
    securityLog,
    now: () => now,
    logger: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
  })
  await sockets.start()
  const address = await listen(server)
  const { open, connect, closeAll } = createClients(address)

  return {
    address,
    openConnections: () => promisify(server.getConnections.bind(server))(),
    sockets,
    securityLog,
    /** Log lines of level warn and above. */
    logged,
    connections,
    seenCounter,
    inbox,
    inboxProgress,
    catalogProgress,
    audienceProgress,
    campaigns,
    seen,
    publish,
    setBehind,
    loseMessages,
    /** Adds a notification to this inbox without a bus message. */
    arriveWithoutMessage: (notification: number, user: number): void => {
      const userId = userIdOf(user)
      const seq = inbox.arrive(userId, notificationIdOf(notification), 'The hall is closed.')
      positions[bucketKey(userId)] = String(seq)
    },
    open,
    connect,
    /** Adds a notification to these inboxes and publishes it, with one message per bucket. */
    send: async (notification: number, users: readonly number[], message = 'The hall is closed.'): Promise<void> => {
      const notificationId = notificationIdOf(notification)
      const buckets = Map.groupBy(users.map(userIdOf), bucketKey)
      for (const [bucket, userIds] of buckets) {
        for (const userId of userIds) inbox.arrive(userId, notificationId, message)
        const text = { notificationId, title: 'Notice', message, type: 'General' }
        await publish('notifications', bucket, 'RecipientsTargeted', { text, bucket, userIds })
      }
    },
    /** Withdraws a notification from these inboxes, with one message per bucket. */
    recall: async (notification: number, users: readonly number[]): Promise<void> => {
      const notificationId = notificationIdOf(notification)
      const buckets = Map.groupBy(users.map(userIdOf), bucketKey)
      for (const [bucket, userIds] of buckets) {
        for (const userId of userIds) inbox.recall(userId, notificationId)
        const slice = { notificationId, bucket, skip: 0, take: userIds.length }
        await publish('notifications', bucket, 'EntriesWithdrawn', slice)
      }
    },
    markUnread: async (notification: number, user: number): Promise<void> => {
      const [userId, notificationId] = [userIdOf(user), notificationIdOf(notification)]
      inbox.markUnread(userId, notificationId)
      await publish('notifications', bucketKey(userId), 'NotificationMarkedUnread', { userId, notificationId })
    },
    withdraw,
    setNow: (date: string) => void (now = new Date(date)),
    setExpiry,
    failChecks,
    stop: async () => {
      closeAll()
      await sockets.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Resolves with the next message of that name. */
export const nextMessage = <K extends keyof ServerToClient>(
  client: Client,
  name: K,
): Promise<Parameters<ServerToClient[K]>[0]> =>
  new Promise((resolve) => {
    const listener = (message: unknown) => resolve(message as Parameters<ServerToClient[K]>[0]) // by the event's name
    client.once<keyof ServerToClient>(name, listener)
  })

/** Resolves with the error message of the rejection. */
export const rejectionOf = (client: Client): Promise<string> =>
  new Promise((resolve, reject) => {
    client.once('connect_error', (error) => resolve(error.message))
    client.once('connect', () => reject(new Error('the connection was accepted')))
  })

export const disconnected = (client: Client): Promise<string> =>
  new Promise((resolve) => {
    client.once('disconnect', (reason) => resolve(reason))
  })
