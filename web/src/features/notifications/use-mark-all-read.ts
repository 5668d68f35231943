import { readAllNotifications } from '@portal/contracts/notifications/inbox-http'
import { useCallback } from 'react'
import { call } from '../../lib/http.ts'
import { useQueryClient } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { undoDurationMs, useToast } from '../../ui/toast/atoms.ts'
import { readInbox, updateInbox } from './inbox-cache.ts'
import { expectReadAll, knownUpTo, settleReadAll } from './inbox.ts'
import { forgetMarkAll, keepMarkAll } from './kept-mark-all.ts'
import { trackReadRequest } from './read-requests.ts'

/** The toast of a mark-all. The server learns of the mark-all when it ends. */
export const markAllSubject = 'mark-all-read'

/**
 * Marks all notifications known to this tab as read. They are shown so at once; the server learns of it when the toast ends
 * without Undo. Later arrivals stay unread.
 */
export const useMarkAllRead = () => {
  const client = useQueryClient()
  const toast = useToast()
  const owner = useSession()?.user._id
  return useCallback(() => {
    const mark = knownUpTo(readInbox(client))
    const settle = (answer: Parameters<typeof settleReadAll>[2]) => {
      if (owner) forgetMarkAll(owner)
      updateInbox(client, (inbox) => settleReadAll(inbox, mark, answer))
    }
    if (owner) keepMarkAll(owner, mark, Date.now() + undoDurationMs)
    updateInbox(client, (inbox) => expectReadAll(inbox, mark))

    const fail = () => {
      settle(null)
      toast.error('Failed to mark all notifications as read', { subject: markAllSubject })
    }
    const commit = async () => {
      const { head } = readInbox(client)
      // The number means nothing in another epoch, and the rows are shown as unread again.
      if (head && mark.epoch !== '' && head.epoch !== mark.epoch) return fail()
      const version = mark.epoch === '' ? {} : { upTo: mark.seq, epoch: mark.epoch }
      const answer = await trackReadRequest(client, call(readAllNotifications, { query: version }))
      if (!answer.success) return fail()
      settle({ ...answer.data, readAt: new Date().toISOString() })
      return undefined
    }
    toast.success('All notifications marked as read', {
      subject: markAllSubject,
      undo: { onUndo: () => settle(null), onCommit: commit },
    })
  }, [client, toast, owner])
}
