import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useCallback } from 'react'
import { useSetAtom } from '../../../lib/jotai.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { markReadAtom } from '../atoms.ts'

/** Opening an unread notification marks it as read, at once; a refusal brings it back with the reason. */
export const useOpenNotification = () => {
  const markRead = useSetAtom(markReadAtom)
  const toast = useToast()
  return useCallback(
    async (item: InboxItem) => {
      const refusal = item.isRead ? null : await markRead(item._id)
      if (refusal) toast.error(refusal.message)
    },
    [markRead, toast],
  )
}
