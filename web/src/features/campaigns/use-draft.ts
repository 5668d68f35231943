import type { UserId } from '@portal/contracts/shared/ids'
import { atom, useStore } from 'jotai'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useValidatedForm } from '../../lib/form.ts'
import { keepUnsentText } from '../../lib/load-module.ts'
import { useSession } from '../../lib/session.ts'
import type { Rule } from './audience/rule.ts'
import {
  hasContent,
  isLastRequest,
  newDraft,
  requestFor,
  textSchema,
  toKeep,
  type Draft,
  type SentText,
} from './draft.ts'

/** In memory only and tied to its owner, so that another admin on the same device does not see it. */
const draftAtom = atom<{ readonly owner: UserId; readonly draft: Draft } | undefined>(undefined)

/** The draft of the signed-in admin, kept from one visit of the page to the next. */
export const useDraft = () => {
  const owner = useSession()?.user._id
  const store = useStore()
  const [first] = useState(() => {
    const stored = store.get(draftAtom)
    return stored && stored.owner === owner ? stored.draft : newDraft
  })
  const form = useValidatedForm(textSchema, first.text)
  const [rule, setRule] = useState<Rule>(first.rule)
  /** Increases with each new draft: it remounts the recipients, including their search. */
  const [round, setRound] = useState(1)
  /** The draft that an opened link replaced. */
  const [replaced, setReplaced] = useState<Draft>()
  const lastRequest = useRef(first.lastRequest)
  const { getValues, reset } = form

  const current = useEffectEvent((): Draft => ({ text: getValues(), rule, lastRequest: lastRequest.current }))
  const storeDraft = useEffectEvent(() => {
    if (!owner) return
    const draft = current()
    store.set(draftAtom, { owner, draft: toKeep(draft) })
    keepUnsentText(hasContent(draft))
  })
  useEffect(() => () => storeDraft(), [])

  const start = useCallback(
    (draft: Draft) => {
      lastRequest.current = draft.lastRequest
      reset(draft.text)
      setRule(draft.rule)
      setRound((n) => n + 1)
    },
    [reset],
  )

  // The request of an earlier visit may be answered during this one.
  useEffect(
    () =>
      store.sub(draftAtom, () => {
        if (!store.get(draftAtom) && isLastRequest(current())) start(newDraft)
      }),
    [store, start],
  )

  /** The body to send and its idempotency key. */
  const toSend = (text: SentText, count: number) => {
    const { body, request } = requestFor(text, { rule, lastRequest: lastRequest.current }, count)
    lastRequest.current = request
    return { body, key: request.key }
  }

  /** Discards the sent draft, even if the user has left the page since. */
  const sent = (key: string) => {
    if (store.get(draftAtom)?.draft.lastRequest?.key === key) {
      store.set(draftAtom, undefined)
      keepUnsentText(false)
    }
    start(newDraft)
  }

  /** Starts another draft. One with content can be restored. */
  const replaceWith = (draft: Draft) => {
    const known = { text: getValues(), rule, lastRequest: lastRequest.current }
    if (hasContent(known)) setReplaced(known)
    start(draft)
  }
  const restore = replaced && {
    title: replaced.text.title,
    run: () => {
      start(replaced)
      setReplaced(undefined)
    },
  }

  return { form, round, rule, setRule, toSend, sent, replaceWith, restore }
}
