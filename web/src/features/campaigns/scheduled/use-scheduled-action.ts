import {
  discardScheduledNotification,
  sendScheduledNotification,
  type ScheduledSend,
} from '@portal/contracts/notifications/scheduled-send'
import { useCallback, useState } from 'react'
import { call } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { sendSubject as subject } from '../held/use-held-sends.ts'

type Asked = { readonly action: 'send' | 'discard'; readonly send: ScheduledSend }

/** What waits for its confirmation. `onDone` runs after each answer, also after a failure. */
export const useScheduledAction = (onDone: (sent: boolean) => void) => {
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState(false)
  const toast = useToast()

  const confirm = async () => {
    if (!asked) return
    const { action, send } = asked
    const { notificationId: id, version } = send
    setBusy(true)
    const answer =
      action === 'send'
        ? await call(sendScheduledNotification, { params: { id }, body: { version } })
        : await call(discardScheduledNotification, { params: { id } })
    setBusy(false)
    setAsked(undefined)
    if (answer.success) toast.success(answer.data.message, { subject })
    else toast.error(answer.message, { subject })
    onDone(answer.success && action === 'send')
  }

  return {
    asked,
    busy,
    askToSend: useCallback((send: ScheduledSend) => setAsked({ action: 'send', send }), []),
    askToDiscard: useCallback((send: ScheduledSend) => setAsked({ action: 'discard', send }), []),
    cancel: () => setAsked(undefined),
    confirm: () => void confirm(),
  }
}
