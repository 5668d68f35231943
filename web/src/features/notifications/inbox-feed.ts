import { inboxChangedSchema, inboxResumedSchema, type InboxChange } from '@portal/contracts/notifications/socket'
import type { PortalSocket } from '../../lib/socket.ts'

/** A sequence number, which compares within its epoch only. */
export type InboxVersion = { readonly epoch: string; readonly seq: number }
type Head = InboxVersion & { readonly unread: number }

/** Every change is reported once, in order. */
type InboxListener = {
  /** All of one epoch: the starting point's, or the last reset's. */
  readonly onChanges: (changes: readonly InboxChange[], head: Head) => void
  /** The gap is too large, or the inbox has another epoch: load page 1 instead. */
  readonly onReset: (head: Head) => void
}

/** At most one `inbox:seen` in this time: a burst of arrivals is answered once. */
const seenIntervalMs = 100
const resumeTimeoutMs = 10_000
const resumeRetryMs = 2_000

/** Servers that know no epochs leave it empty, and take none. */
const messageOf = <Message extends object>(epoch: string, message: Message) =>
  epoch === '' ? message : { ...message, epoch }

/** Says 'seen' for the latest sequence number while the tab is visible; a hidden tab says so when it becomes visible. */
const seenReporter = (socket: PortalSocket, since: InboxVersion) => {
  let shown = since
  /** The last number reported, of `shown`'s epoch. */
  let said = -1
  let timer: ReturnType<typeof setTimeout> | undefined

  const say = () => {
    timer = undefined
    if (shown.seq <= said || document.visibilityState !== 'visible' || !socket.connected) return
    said = shown.seq
    socket.emit('inbox:seen', messageOf(shown.epoch, { seq: said }))
    timer = setTimeout(say, seenIntervalMs)
  }
  // In a later task, so that the changes reported as seen have been rendered.
  const saySoon = () => {
    timer ??= setTimeout(say, 0)
  }
  document.addEventListener('visibilitychange', saySoon)

  return {
    shown: (known: InboxVersion) => {
      if (known.epoch !== shown.epoch) said = -1
      shown = known
      saySoon()
    },
    /** The server forgets what was reported on a closed connection. */
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
 * makes the feed ask for what is in between, and so does every new connection. A message or an answer of another epoch resets it: it
 * takes the server's number as it is, even if it is lower.
 */
export const followInbox = (socket: PortalSocket, since: InboxVersion, listener: InboxListener): (() => void) => {
  const seen = seenReporter(socket, since)
  let known = since
  /** The state that the last message left aside spoke of: of another epoch, or with a higher number. */
  let heard = since
  let resuming = false
  let stopped = false
  let retry: ReturnType<typeof setTimeout> | undefined

  const isNews = ({ epoch, seq }: InboxVersion) => epoch !== known.epoch || seq > known.seq

  const accept = (changes: readonly InboxChange[], head: Head) => {
    const news = changes.filter((change) => change.seq > known.seq)
    if (isNews(head)) known = { epoch: head.epoch, seq: head.seq }
    listener.onChanges(news, head)
    seen.shown(known)
  }

  const startOver = (head: Head) => {
    known = { epoch: head.epoch, seq: head.seq }
    listener.onReset(head)
    seen.shown(known)
  }

  const askForChanges = async () => {
    const heardBefore = heard
    const question = messageOf(known.epoch, { since: known.seq })
    const raw: unknown = await socket.timeout(resumeTimeoutMs).emitWithAck('inbox:resume', question)
    const answer = inboxResumedSchema.parse(raw)
    if (stopped) return
    const { epoch, seq, unread } = answer
    if ('changes' in answer && epoch === known.epoch) accept(answer.changes, { epoch, seq, unread })
    else startOver({ epoch, seq, unread })
    // The answer covers what was heard before the question, whatever its epoch.
    if (heard === heardBefore && heard.epoch !== epoch) heard = known
  }

  const resume = async () => {
    if (resuming || stopped || !socket.connected) return
    resuming = true
    clearTimeout(retry)
    try {
      // Messages that came while the answer was on its way were left aside: they may be ahead of it.
      while (socket.connected && !stopped) {
        const before = { known, heard }
        await askForChanges()
        if (!isNews(heard)) return
        // The server is behind what it said before: asking at once would not help.
        if (known === before.known && heard === before.heard) throw new Error('The inbox is catching up')
      }
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
    const { changes, ...head } = message.data
    if (!isNews(head)) return undefined
    if (head.epoch !== heard.epoch || head.seq > heard.seq) heard = { epoch: head.epoch, seq: head.seq }
    if (resuming) return undefined
    if (head.epoch !== known.epoch) return startOver(head)
    const continues = changes.find((change) => change.seq > known.seq)?.seq === known.seq + 1
    return continues ? accept(changes, head) : void resume()
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
