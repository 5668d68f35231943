import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChanged } from '@portal/contracts/notifications/socket'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PortalSocket } from '../../lib/socket.ts'
import { fakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { applyChanges, viewOf, type InboxView } from './apply-changes.ts'
import { subscribeToInbox } from './inbox-feed.ts'

type Step =
  | { readonly do: 'arrive' }
  | { readonly do: 'read'; readonly which: number }
  | { readonly do: 'read-all' }
  | { readonly do: 'recall'; readonly which: number }
  | { readonly do: 'mark-unread'; readonly which: number }
  /** Starts a new epoch with this number of newest notifications. */
  | { readonly do: 'renumber'; readonly left: number }
  /** The server sends the changes since its last message to this tab. */
  | { readonly do: 'sendChanges'; readonly isLost: boolean }
  | { readonly do: 'reconnect' }
  /** Pending responses arrive. */
  | { readonly do: 'wait' }

const step = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>({ do: 'arrive' }) },
  { weight: 2, arbitrary: fc.nat(12).map((which): Step => ({ do: 'read', which })) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'read-all' }) },
  { weight: 2, arbitrary: fc.nat(12).map((which): Step => ({ do: 'recall', which })) },
  { weight: 2, arbitrary: fc.nat(12).map((which): Step => ({ do: 'mark-unread', which })) },
  { weight: 2, arbitrary: fc.nat(15).map((left): Step => ({ do: 'renumber', left })) },
  { weight: 6, arbitrary: fc.boolean().map((isLost): Step => ({ do: 'sendChanges', isLost })) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'reconnect' }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'wait' }) },
)

/** A tab, its connection, and a server that follows the protocol of socket.ts. */
const world = () => {
  const inbox = fakeInbox()
  const listeners = new Map<string, (message?: unknown) => void>()
  const shown = new Map<string, number>()
  let epochs = 1
  let sent = inbox.head()
  let view: InboxView = viewOf(inbox.page(1))

  const socket = {
    connected: true,
    on: (event: string, listener: (message?: unknown) => void) => void listeners.set(event, listener),
    off: (event: string) => void listeners.delete(event),
    emit: () => undefined,
    timeout: () => ({
      emitWithAck: async (_event: string, message: { since: number; epoch?: string }) => {
        const answer = inbox.resume(message)
        await Promise.resolve()
        // It includes every message sent before it.
        return answer.epoch === sent.epoch && answer.seq >= sent.seq ? answer : inbox.resume(message)
      },
    }),
  }
  const say = (message: InboxChanged) => listeners.get('inbox:changed')?.(message)
  const count = ({ _id }: InboxItem) => shown.set(_id, (shown.get(_id) ?? 0) + 1)

  // The parts of a socket that the feed uses.
  const stop = subscribeToInbox(socket as unknown as PortalSocket, inbox.head(), {
    onChanges: (changes) => {
      for (const change of changes) if (change.kind === 'arrived') count(change.notification)
      view = applyChanges(view, changes, false)
    },
    onReset: () => {
      view = viewOf(inbox.page(1))
    },
  })

  const sendChanges = (isLost: boolean) => {
    const head = inbox.head()
    const isOther = head.epoch !== sent.epoch
    const message = isOther ? { ...head, changes: [] } : inbox.changedSince(sent.seq)
    if (!isOther && head.seq <= sent.seq) return
    sent = head
    if (!isLost) say(message)
  }

  const reconnect = () => {
    listeners.get('connect')?.()
    sent = inbox.head()
    say({ ...sent, changes: [] })
  }

  const act = async (next: Step) => {
    switch (next.do) {
      case 'arrive':
        return void inbox.arrive()
      case 'read':
        return void inbox.read(idOf(next.which))
      case 'read-all':
        return void inbox.readAll()
      case 'recall':
        return void inbox.recall(idOf(next.which))
      case 'mark-unread':
        return void inbox.markUnread(idOf(next.which))
      case 'renumber':
        epochs += 1
        return inbox.renumber(`epoch ${epochs}`, next.left)
      case 'sendChanges':
        return sendChanges(next.isLost)
      case 'reconnect':
        return reconnect()
      case 'wait':
        await vi.advanceTimersByTimeAsync(50)
    }
  }

  return { inbox, act, reconnect, stop, view: () => view, shown }
}

describe('a tab with lost messages, disconnects and epoch changes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('has the state of the server after a reconnect, and reports no arrival twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const { inbox, act, reconnect, stop, view, shown } = world()
        try {
          for (const next of steps) await act(next)
          reconnect()
          await vi.advanceTimersByTimeAsync(30_000)
          const { items, pagination, epoch, seq } = view()
          expect({ items, pagination, epoch, seq }).toEqual(inbox.page(1))
          expect([...shown.values()].filter((times) => times > 1)).toEqual([])
        } finally {
          stop()
        }
      }),
      { numRuns: 300 },
    )
  })
})
