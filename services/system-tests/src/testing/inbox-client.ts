import { listNotifications } from '@portal/contracts/notifications/http'
import { type InboxItem, withdrawItem } from '@portal/contracts/notifications/notification'
import {
  type ClientToServer,
  type InboxChange,
  inboxChangedSchema,
  inboxResumedSchema,
  type ServerToClient,
  type SocketFeature,
  socketFeatures,
} from '@portal/contracts/notifications/socket'
import { io, type Socket } from 'socket.io-client'
import { callRoute } from './api-client.ts'
import { eventually } from './portal-process.ts'

/**
 * A client of the inbox contract, deliberately independent of the web client. It applies changes, resumes after a gap
 * or reconnect, refetches after a reset, and counts arrivals to detect duplicates.
 */
export type InboxClient = {
  readonly socket: Socket<ServerToClient, ClientToServer>
  /** Newest first. */
  items(): readonly InboxItem[]
  unread(): number
  seq(): number
  /** How often each notification was shown as new. */
  arrivals(): ReadonlyMap<string, number>
  /** Reports that everything is displayed. Sent after every message by default. */
  seen(): void
  close(): void
}

const resumeTimeoutMs = 5_000
const retryMs = 1_000
/** Longer than three resumes without an answer. */
const catchUpTimeoutMs = 30_000

type Caller = { readonly address: string; readonly token: string }

/** The copy of the inbox in the client. */
type Copy = {
  readonly items: Map<string, InboxItem>
  readonly arrivals: Map<string, number>
  epoch: string
  seq: number
  unread: number
}

const applyChange = (copy: Copy, change: InboxChange): void => {
  const { items, arrivals } = copy
  if (change.seq <= copy.seq) return
  copy.seq = change.seq
  if (change.kind === 'arrived') {
    items.set(change.notification._id, change.notification)
    arrivals.set(change.notification._id, (arrivals.get(change.notification._id) ?? 0) + 1)
  } else if (change.kind === 'read') {
    const item = items.get(change.notificationId)
    if (item) items.set(item._id, { ...item, isRead: true, readAt: change.readAt })
  } else if (change.kind === 'recalled') {
    const item = items.get(change.notificationId)
    if (item) items.set(item._id, withdrawItem(item, change.withdrawnAt))
  } else if (change.kind === 'unread') {
    const item = items.get(change.notificationId)
    if (item) items.set(item._id, { ...item, isRead: false, readAt: null })
  } else {
    for (const item of items.values())
      if (!item.isRead && item.seq <= change.readUpTo)
        items.set(item._id, { ...item, isRead: true, readAt: change.readAt })
  }
}

/** Fetches all pages, and repeats if a change came in between. */
const fetchAll = async ({ address, token }: Caller, copy: Copy): Promise<void> => {
  for (;;) {
    copy.items.clear()
    let first: { epoch: string; seq: number; unread: number } | undefined
    let steady = true
    for (let page = 1; ; page++) {
      const answer = await callRoute(address, listNotifications, { token, query: { page, limit: 100 } })
      first ??= answer
      if (answer.epoch !== first.epoch || answer.seq !== first.seq) steady = false
      for (const item of answer.notifications) copy.items.set(item._id, item)
      if (page >= answer.pagination.totalPages) break
    }
    if (!steady) continue
    // Changes that arrived meanwhile are already in the list.
    if (first.epoch === copy.epoch && first.seq < copy.seq) return
    copy.epoch = first.epoch
    copy.seq = first.seq
    copy.unread = first.unread
    return
  }
}

type Options = Caller & {
  readonly visible?: boolean
  /** Change kinds that the client declares; all if absent. Clients built before recalls declare none. */
  readonly features?: readonly SocketFeature[]
}

export const connectInbox = async (options: Options): Promise<InboxClient> => {
  const socket: Socket<ServerToClient, ClientToServer> = io(options.address, {
    auth: { token: options.token, features: options.features ?? socketFeatures },
    transports: ['websocket'],
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    forceNew: true,
  })
  const copy: Copy = { items: new Map(), arrivals: new Map(), epoch: '', seq: -1, unread: 0 }
  let resuming: Promise<void> | undefined
  let isResumeDue = false
  const visible = options.visible ?? true

  const seen = () => {
    if (visible && socket.connected) socket.emit('inbox:seen', { epoch: copy.epoch, seq: copy.seq })
  }

  const resumeOnce = async () => {
    if (copy.seq < 0) await fetchAll(options, copy)
    const request = { epoch: copy.epoch, since: copy.seq }
    const answer = inboxResumedSchema.parse(await socket.timeout(resumeTimeoutMs).emitWithAck('inbox:resume', request))
    if ('reset' in answer) await fetchAll(options, copy)
    else {
      for (const change of answer.changes) applyChange(copy, change)
      if (answer.seq >= copy.seq) copy.unread = answer.unread
    }
    seen()
  }

  /** Runs again after the resume in flight, which may have been too early. */
  const resume = () => {
    isResumeDue = true
    resuming ??= (async () => {
      try {
        while (isResumeDue) {
          isResumeDue = false
          await resumeOnce()
        }
      } finally {
        resuming = undefined
      }
    })()
    return resuming
  }

  // Resumes again after a reconnect, or after a delay if the response timed out.
  const resumeOrWait = () =>
    void resume().catch(() => {
      if (socket.connected) setTimeout(() => socket.connected && resumeOrWait(), retryMs)
    })
  let isClosed = false
  // Socket.IO does not connect again by itself after a rejection.
  socket.on('connect_error', () => {
    if (!socket.active) setTimeout(() => isClosed || socket.connect(), retryMs)
  })
  socket.on('connect', () => {
    if (!visible) socket.emit('tab:visibility', { visible: false })
    resumeOrWait()
  })
  socket.on('inbox:changed', (message) => {
    const changed = inboxChangedSchema.parse(message)
    const firstSeq = changed.changes[0]?.seq
    if (changed.epoch !== copy.epoch || copy.seq < 0) return resumeOrWait()
    if (firstSeq === undefined ? changed.seq > copy.seq : firstSeq > copy.seq + 1) return resumeOrWait()
    for (const change of changed.changes) applyChange(copy, change)
    if (changed.seq >= copy.seq) copy.unread = changed.unread
    seen()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  await resume()

  return {
    socket,
    items: () => [...copy.items.values()].toSorted((a, b) => b.seq - a.seq),
    unread: () => copy.unread,
    seq: () => copy.seq,
    arrivals: () => copy.arrivals,
    seen,
    close: () => {
      isClosed = true
      socket.close()
    },
  }
}

/** Waits until the client is at the server's position. The error says where it is. */
export const caughtUp = async (
  { socket, seq }: InboxClient,
  server: { readonly seq: number },
  timeoutMs = catchUpTimeoutMs,
): Promise<void> => {
  try {
    await eventually('the client has caught up', () => seq() === server.seq, timeoutMs)
  } catch (cause) {
    const connection = socket.connected ? 'connected' : socket.active ? 'connecting' : 'rejected or closed'
    throw new Error(`The client is at ${seq()} of ${server.seq}, ${connection}`, { cause })
  }
}
