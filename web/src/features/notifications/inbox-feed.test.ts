import type { InboxChange, InboxChanged } from '@portal/contracts/notifications/socket'
import { afterEach, describe, expect, it } from 'vitest'
import type { PortalSocket } from '../../lib/socket.ts'
import { fakeInbox } from '../../testing/fake-inbox.ts'
import { subscribeToInbox } from './inbox-feed.ts'
import { until } from '../../testing/until.ts'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A feed with an inbox, on a connection that the test controls. */
const follow = (arrivals: number) => {
  const inbox = fakeInbox()
  for (let n = 0; n < arrivals; n++) inbox.arrive()
  const listeners = new Map<string, (message?: unknown) => void>()
  const seen: unknown[] = []
  const requests: unknown[] = []
  let held: Promise<void> | undefined
  const socket = {
    connected: true,
    on: (event: string, listener: (message?: unknown) => void) => void listeners.set(event, listener),
    off: (event: string) => void listeners.delete(event),
    emit: (_event: string, message: unknown) => void seen.push(message),
    timeout: () => ({
      emitWithAck: async (_event: string, message: { since: number; epoch?: string }) => {
        requests.push(message)
        const answer = inbox.resume(message)
        const hold = held
        held = undefined
        await hold
        return answer
      },
    }),
  }
  const reported: { readonly changes: readonly InboxChange[]; readonly seq: number }[] = []
  const resets: unknown[] = []
  const { epoch, seq } = inbox.head()
  // The parts of a socket that the feed uses.
  const stop = subscribeToInbox(
    socket as unknown as PortalSocket,
    { epoch, seq },
    {
      onChanges: (changes, head) => reported.push({ changes, seq: head.seq }),
      onReset: (head) => resets.push(head),
    },
  )
  stops.push(stop)
  return {
    inbox,
    seen,
    requests,
    resets,
    /** The number of handled responses and messages. */
    handled: () => reported.length + resets.length,
    /** The sequence numbers of all changes that the feed reported. */
    reported: () => reported.flatMap(({ changes }) => changes.map((change) => change.seq)),
    say: (message: InboxChanged) => listeners.get('inbox:changed')?.(message),
    connect: () => listeners.get('connect')?.(),
    holdNextAnswer: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
  }
}

type Feed = ReturnType<typeof follow>

const waitForRequests = (feed: Feed, count: number) => until(() => expect(feed.requests).toHaveLength(count))

/** Waits until the request of the new connection has been answered. */
const started = (feed: Feed) => until(() => expect(feed.handled()).toBe(1))

describe('an epoch change while the tab is open', () => {
  it('resets the feed to the lower number, and reports every arrival after it', async () => {
    const feed = follow(50)
    await started(feed)
    feed.inbox.renumber('second', 10)
    feed.connect()
    await until(() => expect(feed.resets).toEqual([{ epoch: 'second', seq: 10, unread: 10 }]))
    for (let n = 11; n <= 15; n++) {
      const { seq } = feed.inbox.arrive()
      feed.say(feed.inbox.changedSince(seq - 1))
    }
    expect(feed.reported()).toEqual([11, 12, 13, 14, 15])
    expect(feed.requests).toHaveLength(2)
  })

  it('resets the feed by a live message without a request, even with a higher number', async () => {
    for (const left of [0, 10, 50]) {
      const feed = follow(50)
      await started(feed)
      feed.inbox.renumber('second', left)
      feed.say({ ...feed.inbox.head(), changes: [] })
      expect(feed.resets).toEqual([{ epoch: 'second', seq: left, unread: left }])
      expect(feed.requests).toHaveLength(1)
    }
  })

  it('resets the seen report of the old epoch', async () => {
    const feed = follow(50)
    await until(() => expect(feed.seen).toEqual([{ epoch: 'first', seq: 50 }]))
    feed.inbox.renumber('second', 10)
    feed.say({ ...feed.inbox.head(), changes: [] })
    await until(() => expect(feed.seen.at(-1)).toEqual({ epoch: 'second', seq: 10 }))
  })

  it('is not undone by an older response', async () => {
    const feed = follow(50)
    await started(feed)
    const release = feed.holdNextAnswer()
    feed.connect()
    await waitForRequests(feed, 2)
    feed.inbox.renumber('second', 10)
    feed.say({ ...feed.inbox.head(), changes: [] })
    release()
    await until(() => expect(feed.resets).toEqual([{ epoch: 'second', seq: 10, unread: 10 }]))
    expect(feed.requests).toHaveLength(3)
  })

  it('sends one request if a message of the old epoch arrives before the response', async () => {
    const feed = follow(50)
    await started(feed)
    const old = feed.inbox.arrive()
    const message = feed.inbox.changedSince(old.seq - 1)
    feed.inbox.renumber('second', 10)
    const release = feed.holdNextAnswer()
    feed.connect()
    await waitForRequests(feed, 2)
    feed.say(message)
    release()
    await waitForRequests(feed, 3)
    await until(() => expect(feed.handled()).toBe(3))
    expect(feed.resets).toHaveLength(1)
    const { seq } = feed.inbox.arrive()
    feed.say(feed.inbox.changedSince(seq - 1))
    expect(feed.reported()).toEqual([11])
    expect(feed.requests).toHaveLength(3)
  })
})

describe('an inbox that falls back for a while in the same epoch', () => {
  it('does not reset the feed, and repeats nothing after it has caught up', async () => {
    const feed = follow(5)
    await started(feed)
    feed.say({ epoch: 'first', seq: 3, unread: 3, changes: [] })
    const { seq } = feed.inbox.arrive()
    feed.say(feed.inbox.changedSince(3))
    expect(feed.resets).toEqual([])
    expect(feed.reported()).toEqual([seq])
  })
})
