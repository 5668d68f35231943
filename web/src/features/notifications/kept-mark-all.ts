import { readAllNotifications } from '@portal/contracts/notifications/inbox-http'
import type { UserId } from '@portal/contracts/shared/ids'
import type { QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from '../../lib/drafts.ts'
import { call } from '../../lib/http.ts'
import { readInbox } from './inbox-cache.ts'
import type { InboxVersion } from './inbox-feed.ts'
import { trackReadRequest } from './read-requests.ts'

/*
 * A mark-all is sent when its toast ends. Until the server has answered, it is also kept on the device, because a browser that
 * is killed sends nothing.
 */

const keptSchema = z.object({ epoch: z.string(), seq: z.number().int(), until: z.number() })
const keyOf = (owner: UserId) => draftKey(owner, 'mark-all-read')

/** `until`: when its undo ends; ms since the epoch. */
export const keepMarkAll = (owner: UserId, mark: InboxVersion, until: number): void =>
  writeDraft(keyOf(owner), { ...mark, until })

export const forgetMarkAll = (owner: UserId): void => removeDraft(keyOf(owner))

/** Sends a mark-all that an earlier page has left, once another tab can no longer undo it. Returns a function that stops it. */
export const finishKeptMarkAll = (client: QueryClient, owner: UserId): (() => void) => {
  const read = () => readDraft(keyOf(owner), keptSchema)
  const finish = async () => {
    const mark = read()
    if (!mark) return
    // The number means nothing in another epoch.
    if (readInbox(client).head?.epoch !== mark.epoch) return forgetMarkAll(owner)
    const query = { upTo: mark.seq, epoch: mark.epoch }
    const answer = await trackReadRequest(client, call(readAllNotifications, { query }))
    if (answer.success) forgetMarkAll(owner)
    return undefined
  }
  const kept = read()
  if (!kept) return () => undefined
  const timer = setTimeout(() => void finish(), Math.max(0, kept.until - Date.now()))
  return () => clearTimeout(timer)
}
