import type { ServerToClient } from '@portal/contracts/notifications/socket'
import { act } from '@testing-library/react'
import type { PortalSocket } from '../lib/socket.ts'

type Listener = (message?: unknown) => void

/** A socket whose messages and disconnects the test controls. */
export const fakeSocket = () => {
  const listeners = new Map<string, Set<Listener>>()
  const dispatch = (event: string, message?: unknown) =>
    act(() => {
      for (const listener of listeners.get(event) ?? []) listener(message)
    })
  const state = {
    connected: true,
    on: (event: string, listener: Listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    off: (event: string, listener: Listener) => {
      listeners.get(event)?.delete(listener)
    },
    emit: () => {},
    timeout: () => ({ emitWithAck: () => Promise.reject(new Error('the server does not answer')) }),
  }
  return {
    // The screens use only these members of a socket.
    socket: state as unknown as PortalSocket,
    emit: <Event extends keyof ServerToClient>(event: Event, message: Parameters<ServerToClient[Event]>[0]) =>
      dispatch(event, message),
    disconnect: () => {
      state.connected = false
      dispatch('disconnect')
    },
    reconnect: () => {
      state.connected = true
      dispatch('connect')
    },
  }
}
