import { sendNotification } from '@portal/contracts/notifications/http'
import type { InboxChanged } from '@portal/contracts/notifications/socket'
import { io } from 'socket.io-client'
import { callRoute } from '../testing/api-client.ts'
import { type BareProcess, connectSockets, type SignedInPortal } from './bench-portal.ts'
import { cpuMsOf } from './process-usage.ts'

/** Sends of 200 characters, and the sockets that receive them. Neither side checks messages, so that the client costs both the same. */
const text = { message: 'The second installment is due on Friday. '.repeat(5), type: 'General' }
const options = { transports: ['websocket'], forceNew: true }

export type Side = {
  /** The users with an open socket. */
  readonly users: readonly string[]
  /** `label` is the title. */
  send(userIds: readonly string[], label: string): Promise<unknown>
  onArrival(listener: (label: string) => void): void
  /** Processor time since the start. */
  cpuMs(): Promise<number>
  close(): void
}

export const portalSide = async (portal: SignedInPortal, socketCount: number): Promise<Side> => {
  const learners = await portal.learners(socketCount)
  const listeners: ((label: string) => void)[] = []
  const sockets = await connectSockets(0, socketCount, (n) => {
    const socket = io(portal.address, { ...options, auth: { token: learners[n]?.token } })
    socket.on('inbox:changed', ({ changes, epoch, seq }: InboxChanged) => {
      for (const change of changes)
        if (change.kind === 'arrived') for (const listener of listeners) listener(change.notification.title)
      socket.emit('inbox:seen', { epoch, seq })
    })
    return socket
  })
  return {
    users: learners.map((learner) => learner.userId),
    send: (userIds, title) =>
      callRoute(portal.address, sendNotification, { token: portal.adminToken, body: { userIds, title, ...text } }),
    onArrival: (listener) => void listeners.push(listener),
    cpuMs: portal.cpuMs,
    close: () => sockets.forEach((socket) => socket.close()),
  }
}

export const bareSide = async (bare: BareProcess, socketCount: number): Promise<Side> => {
  const users = Array.from({ length: socketCount }, (_, n) => `user-${n}`)
  const listeners: ((label: string) => void)[] = []
  const sockets = await connectSockets(0, socketCount, (n) => {
    const socket = io(bare.address, { ...options, auth: { user: users[n] } })
    socket.on('inbox:changed', ({ notification }: { notification: { title: string } }) => {
      for (const listener of listeners) listener(notification.title)
    })
    return socket
  })
  return {
    users,
    send: async (userIds, title) => {
      const response = await fetch(`${bare.address}/send`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userIds, title, ...text }),
      })
      return response.json()
    },
    onArrival: (listener) => void listeners.push(listener),
    cpuMs: async () => cpuMsOf(bare.pid),
    close: () => sockets.forEach((socket) => socket.close()),
  }
}
