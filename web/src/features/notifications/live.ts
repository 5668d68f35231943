import { inboxChangedSchema, inboxResumedSchema, type InboxChange } from '@portal/contracts/notifications/socket'
import type { PortalSocket } from '../../lib/socket.ts'

type Head = { readonly seq: number; readonly unread: number }

/** What the feed tells. Every change is told once, in order. */
export type InboxListener = {
  readonly onChanges: (changes: readonly InboxChange[], head: Head) => void
  /** Too much was missed: fetch page 1 instead. */
  readonly onReset: (head: Head) => void
}

/** At most one `inbox:seen` in this time: a burst of arrivals is answered once. */
const seenIntervalMs = 100
const resumeTimeoutMs = 10_000
const resumeRetryMs = 2_000

/** Says 'seen' for the latest sequence number while the tab is visible; a hidden tab says so when it becomes visible. */
const seenReporter = (socket: PortalSocket) => {
  let shown = -1
  let said = -1
  let timer: ReturnType<typeof setTimeout> | undefined

  const say = () => {
    timer = undefined
    if (shown <= said || document.visibilityState !== 'visible' || !socket.connected) return
    said = shown
    socket.emit('inbox:seen', { seq: shown })
    timer = setTimeout(say, seenIntervalMs)
  }
  // A turn later, so that what is reported as seen has been handed to the screen.
  const saySoon = () => {
    timer ??= setTimeout(say, 0)
  }
  document.addEventListener('visibilitychange', saySoon)

  return {
    shown: (seq: number) => {
      shown = Math.max(shown, seq)
      saySoon()
    },
    /** The server forgets with the connection what was said on it. */
    reconnected: () => {
      said = -1
      saySoon()
    },
    stop: () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', saySoon)
    },
  }
}

/**
 * Follows one inbox from `since` on. Messages are hints with a position: one that does not continue where the last one ended
 * makes the feed ask for what is in between, and so does every new connection.
 */
export const followInbox = (socket: PortalSocket, since: number, listener: InboxListener): (() => void) => {
  const seen = seenReporter(socket)
  let known = since
  /** The highest sequence number that any message spoke of. */
  let heard = since
  let resuming = false
  let stopped = false
  let retry: ReturnType<typeof setTimeout> | undefined

  const accept = (changes: readonly InboxChange[], head: Head) => {
    const news = changes.filter((change) => change.seq > known)
    known = Math.max(known, head.seq)
    listener.onChanges(news, head)
    seen.shown(known)
  }

  const askForChanges = async () => {
    const raw: unknown = await socket.timeout(resumeTimeoutMs).emitWithAck('inbox:resume', { since: known })
    const answer = inboxResumedSchema.parse(raw)
    if (stopped) return
    const head = { seq: answer.seq, unread: answer.unread }
    if ('changes' in answer) return accept(answer.changes, head)
    known = Math.max(known, head.seq)
    listener.onReset(head)
    seen.shown(known)
  }

  const resume = async () => {
    if (resuming || stopped || !socket.connected) return
    resuming = true
    clearTimeout(retry)
    try {
      // Messages that came while the answer was on its way were left aside: they may be ahead of it.
      do await askForChanges()
      while (heard > known && socket.connected && !stopped)
    } catch (error) {
      if (stopped) return
      console.warn('The inbox could not be resumed', error)
      retry = setTimeout(resume, resumeRetryMs)
    } finally {
      resuming = false
    }
  }

  const receive = (raw: unknown) => {
    const message = inboxChangedSchema.safeParse(raw)
    if (!message.success) return console.error('Unexpected inbox message', message.error)
    const { seq, unread, changes } = message.data
    heard = Math.max(heard, seq)
    if (seq <= known || resuming) return undefined
    const continues = changes.find((change) => change.seq > known)?.seq === known + 1
    return continues ? accept(changes, { seq, unread }) : void resume()
  }

  const connected = () => {
    seen.reconnected()
    void resume()
  }

  socket.on('connect', connected)
  socket.on('inbox:changed', receive)
  seen.shown(since)
  if (socket.connected) connected()

  return () => {
    stopped = true
    clearTimeout(retry)
    seen.stop()
    socket.off('connect', connected)
    socket.off('inbox:changed', receive)
  }
}
