import { inboxChangedSchema, inboxResumedSchema, type InboxChange } from '@portal/contracts/notifications/socket'
import type { PortalSocket } from '../../lib/socket.ts'

/** Sequence numbers are comparable only within an epoch. */
export type InboxVersion = { readonly epoch: string; readonly seq: number }
type Head = InboxVersion & { readonly unread: number }

/** The feed reports every change once, in order. */
type InboxListener = {
  /** The changes belong to the epoch of the start or of the last reset. */
  readonly onChanges: (changes: readonly InboxChange[], head: Head) => void
  /** The gap is too large or the epoch has changed: load page 1 instead. */
  readonly onReset: (head: Head) => void
}

/** At most one `inbox:seen` per interval, so that a burst of arrivals causes one. */
const seenIntervalMs = 100
const resumeTimeoutMs = 10_000
const resumeRetryMs = 2_000

/** An older server sends an empty epoch and accepts none. */
const messageOf = <Message extends object>(epoch: string, message: Message) =>
  epoch === '' ? message : { ...message, epoch }

/** Reports the latest sequence number as seen while the tab is visible. A hidden tab reports it when it becomes visible. */
const createSeenReporter = (socket: PortalSocket, since: InboxVersion) => {
  let shown = since
  /** The last reported number in the epoch of `shown`. */
  let lastReported = -1
  let timer: ReturnType<typeof setTimeout> | undefined

  const report = () => {
    timer = undefined
    if (shown.seq <= lastReported || document.visibilityState !== 'visible' || !socket.connected) return
    lastReported = shown.seq
    socket.emit('inbox:seen', messageOf(shown.epoch, { seq: lastReported }))
    timer = setTimeout(report, seenIntervalMs)
  }
  // In a later task, so that the changes have been rendered before they are reported as seen.
  const scheduleReport = () => {
    timer ??= setTimeout(report, 0)
  }
  document.addEventListener('visibilitychange', scheduleReport)
  // Reports what was shown before the page is left, because the socket closes then.
  const reportNow = () => {
    clearTimeout(timer)
    report()
  }
  window.addEventListener('pagehide', reportNow, { capture: true })

  return {
    shown: (known: InboxVersion) => {
      if (known.epoch !== shown.epoch) lastReported = -1
      shown = known
      scheduleReport()
    },
    /** The server drops the reports of a closed connection. */
    reconnected: () => {
      lastReported = -1
      scheduleReport()
    },
    stop: () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', scheduleReport)
      window.removeEventListener('pagehide', reportNow, { capture: true })
    },
  }
}

/**
 * Subscribes to the inbox after `since`. If a message leaves a gap, and on every connect, the feed requests the missing
 * changes. A message or response of another epoch resets the feed to the server's number, even if that is lower.
 */
export const subscribeToInbox = (socket: PortalSocket, since: InboxVersion, listener: InboxListener): (() => void) => {
  const seen = createSeenReporter(socket, since)
  let known = since
  /** The version of the newest message that was not applied: of another epoch, or with a higher number. */
  let latestReceived = since
  let resuming = false
  let stopped = false
  let retry: ReturnType<typeof setTimeout> | undefined

  const isNewer = ({ epoch, seq }: InboxVersion) => epoch !== known.epoch || seq > known.seq

  const accept = (changes: readonly InboxChange[], head: Head) => {
    const newChanges = changes.filter((change) => change.seq > known.seq)
    if (isNewer(head)) known = { epoch: head.epoch, seq: head.seq }
    listener.onChanges(newChanges, head)
    seen.shown(known)
  }

  const reset = (head: Head) => {
    known = { epoch: head.epoch, seq: head.seq }
    listener.onReset(head)
    seen.shown(known)
  }

  const requestChanges = async () => {
    const receivedBefore = latestReceived
    const request = messageOf(known.epoch, { since: known.seq })
    const raw: unknown = await socket.timeout(resumeTimeoutMs).emitWithAck('inbox:resume', request)
    const answer = inboxResumedSchema.parse(raw)
    if (stopped) return
    const { epoch, seq, unread } = answer
    if ('changes' in answer && epoch === known.epoch) accept(answer.changes, { epoch, seq, unread })
    else reset({ epoch, seq, unread })
    // The response includes every message received before the request, in any epoch.
    if (latestReceived === receivedBefore && latestReceived.epoch !== epoch) latestReceived = known
  }

  const resume = async () => {
    if (resuming || stopped || !socket.connected) return
    resuming = true
    clearTimeout(retry)
    try {
      // Messages received during the request were not applied. They may be newer than the response.
      while (socket.connected && !stopped) {
        const before = { known, latestReceived }
        await requestChanges()
        if (!isNewer(latestReceived)) return
        // The server is behind its own earlier message, so an immediate retry would not help.
        if (known === before.known && latestReceived === before.latestReceived)
          throw new Error('The server has not caught up with its last message')
      }
    } catch (error) {
      if (stopped) return
      console.warn('The inbox could not be resumed, retrying', error)
      retry = setTimeout(resume, resumeRetryMs)
    } finally {
      resuming = false
    }
  }

  const onMessage = (raw: unknown) => {
    const message = inboxChangedSchema.safeParse(raw)
    if (!message.success) return console.error('Ignoring an invalid inbox message', message.error)
    const { changes, ...head } = message.data
    if (!isNewer(head)) return undefined
    if (head.epoch !== latestReceived.epoch || head.seq > latestReceived.seq)
      latestReceived = { epoch: head.epoch, seq: head.seq }
    if (resuming) return undefined
    if (head.epoch !== known.epoch) return reset(head)
    const continues = changes.find((change) => change.seq > known.seq)?.seq === known.seq + 1
    return continues ? accept(changes, head) : void resume()
  }

  const onConnect = () => {
    seen.reconnected()
    void resume()
  }

  socket.on('connect', onConnect)
  socket.on('inbox:changed', onMessage)
  seen.shown(since)
  if (socket.connected) onConnect()

  return () => {
    stopped = true
    clearTimeout(retry)
    seen.stop()
    socket.off('connect', onConnect)
    socket.off('inbox:changed', onMessage)
  }
}
