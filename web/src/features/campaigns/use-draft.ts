import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { attemptFor, randomKey } from '../../lib/attempt.ts'
import { useCheckedForm } from '../../lib/form.ts'
import { useStore } from '../../lib/jotai.ts'
import { useSession } from '../../lib/session.ts'
import { keepUnsentText } from '../../lib/unsent-text.ts'
import {
  bodyOf,
  draftAtom,
  isWorthKeeping,
  newDraft,
  textSchema,
  wasTriedAsItIs,
  type Draft,
  type DraftText,
} from './draft.ts'
import type { Chosen } from './recipients.ts'

/** What is written and who is chosen: as one left it at the last visit, and kept for the next one. */
export const useDraft = () => {
  const owner = useSession()?.user._id
  const store = useStore()
  const [first] = useState(() => {
    const kept = store.get(draftAtom)
    return kept && kept.owner === owner ? kept.draft : newDraft
  })
  const form = useCheckedForm(textSchema, first.text)
  const [chosen, choose] = useState<Chosen>(first.chosen)
  /** Rises with each new draft: the recipient list begins afresh, its search included. */
  const [round, setRound] = useState(1)
  const attempt = useRef(first.attempt)
  const { getValues, reset } = form

  const current = useEffectEvent((): Draft => ({ text: getValues(), chosen, attempt: attempt.current }))
  const keep = useEffectEvent(() => {
    if (!owner) return
    const draft = current()
    store.set(draftAtom, { owner, draft })
    keepUnsentText(isWorthKeeping(draft))
  })
  useEffect(() => () => keep(), [])

  const beginAfresh = useCallback(() => {
    attempt.current = undefined
    reset(newDraft.text)
    choose(newDraft.chosen)
    setRound((n) => n + 1)
  }, [reset])

  // The answer to what an earlier visit left on its way comes to this one.
  useEffect(
    () =>
      store.sub(draftAtom, () => {
        if (!store.get(draftAtom) && wasTriedAsItIs(current())) beginAfresh()
      }),
    [store, beginAfresh],
  )

  /** What goes to the server, and under which key. */
  const toSend = (text: DraftText) => {
    const body = bodyOf(text, chosen)
    const { key } = (attempt.current = attemptFor(attempt.current, body, randomKey))
    return { body, key }
  }

  /** It was sent; whoever has left meanwhile has left it behind. */
  const sent = (key: string) => {
    if (store.get(draftAtom)?.draft.attempt?.key === key) {
      store.set(draftAtom, undefined)
      keepUnsentText(false)
    }
    beginAfresh()
  }

  return { form, round, chosen, choose, toSend, sent }
}
