import { sendNotificationBody } from '@portal/contracts/notifications/http'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useCheckedForm } from '../../lib/form.ts'
import { useAtom } from '../../lib/jotai.ts'
import { useSession } from '../../lib/session.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { send } from './api.ts'
import { draftAtom, newDraft, textSchema, type DraftText } from './draft.ts'
import { noneChosen, type Chosen } from './recipients.ts'
import { attemptFor, randomKey } from './send-attempt.ts'

/** The form of a send: what is written, who is chosen, and the attempt to send it. */
export const useCompose = (onSent: () => void) => {
  const owner = useSession()?.user._id
  const [kept, setKept] = useAtom(draftAtom)
  const [draft] = useState(() => (kept && kept.owner === owner ? kept.draft : newDraft))
  const form = useCheckedForm(textSchema, draft.text)
  const [chosen, setChosen] = useState<Chosen>(draft.chosen)
  const [chosenError, setChosenError] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** Rises with each send: the recipient list begins afresh, its search included. */
  const [round, setRound] = useState(1)
  /** The connection failed before the answer came: perhaps it was sent, perhaps not. */
  const [uncertain, setUncertain] = useState(false)
  const attempt = useRef(draft.attempt)
  const searchRef = useRef<HTMLInputElement>(null)
  const toast = useToast()

  const latest = useRef({ owner, chosen })
  useEffect(() => {
    latest.current = { owner, chosen }
  })
  const { getValues } = form
  useEffect(
    () => () => {
      const now = latest.current
      if (!now.owner) return
      setKept({ owner: now.owner, draft: { text: getValues(), chosen: now.chosen, attempt: attempt.current } })
    },
    [getValues, setKept],
  )

  const choose = (next: Chosen) => {
    setChosen(next)
    setChosenError(undefined)
  }

  const checkChosen = (): boolean => {
    const result = sendNotificationBody.shape.userIds.safeParse([...chosen])
    setChosenError(result.error?.issues[0]?.message)
    return result.success
  }

  const sendText = async (text: DraftText) => {
    if (!checkChosen()) {
      searchRef.current?.focus()
      return
    }
    const body = { ...text, userIds: [...chosen] }
    attempt.current = attemptFor(attempt.current, body, randomKey)
    setBusy(true)
    const answer = await send(body, attempt.current.key)
    setBusy(false)
    setUncertain(!answer.success && answer.isNetworkError === true)
    if (!answer.success) {
      toast.error(answer.message || 'Failed to send notification')
      return
    }
    toast.success(`Notification sent successfully to ${answer.data.successCount} devices`)
    attempt.current = undefined
    form.reset(newDraft.text)
    choose(noneChosen)
    setRound((n) => n + 1)
    onSent()
  }

  /** Everything that is wrong is said at once. */
  const submit = (event: FormEvent) => void form.handleSubmit(sendText, () => void checkChosen())(event)

  return { form, round, chosen, choose, chosenError, searchRef, busy, uncertain, submit }
}
