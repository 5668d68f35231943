import { getCampaign } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useStore } from 'jotai'
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useValidatedForm } from '../../lib/form.ts'
import { call } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { useSavedDraft } from '../../lib/saved-draft/use-saved-draft.ts'
import { readStored } from '../../lib/storage.ts'
import { useKeepSoon } from '../../lib/use-kept-form.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import type { Rule } from './audience/rule.ts'
import { hasContent, newDraft, requestFor, textSchema, type Draft, type DraftText, type SentText } from './draft.ts'
import { endedSendAtom, type EndedSend } from './held/held-sends.ts'
import {
  anotherSendDraft,
  discardSendDraft,
  discardSentDraft,
  keepSaved,
  keepSendDraft,
  keptSendDraft,
  keptText,
  sendDraftContent,
  sendDraftKey,
  sendDraftOfTab,
  writeTabsDraft,
} from './kept-draft.ts'

/** The draft of the signed-in admin, kept on this device until it is sent. */
export const useDraft = () => {
  const owner = useSession()?.user._id
  const [firstName] = useState(() => (owner ? sendDraftOfTab(owner) : ''))
  /** The name of the draft of this tab. */
  const name = useRef(firstName)
  const [first] = useState(() => (owner && keptSendDraft(owner, firstName)) ?? newDraft)
  const form = useValidatedForm(textSchema, first.text)
  const [rule, setRule] = useState<Rule>(first.rule)
  /** Increases with each new draft: it remounts the recipients, including their search. */
  const [round, setRound] = useState(1)
  /** The draft that an opened link replaced, and its name. */
  const [replaced, setReplaced] = useState<{ readonly draft: Draft; readonly name: string }>()
  const [lastRequest, setLastRequest] = useState(first.lastRequest)
  const store = useStore()
  const toast = useToast()
  const { getValues, reset, subscribe } = form
  /** For other tabs: whether this one still shows what is kept. */
  const [firstKnown] = useState(() => (owner ? readStored(sendDraftKey(owner, firstName)) : null))
  const known = useRef(firstKnown)

  /** Since this tab last kept it. A tab that only shows the draft must not overwrite what another one writes. */
  const isChanged = useRef(false)
  const keep = useEffectEvent((changed: Partial<Draft> = {}) => {
    if (!owner || !isChanged.current) return
    isChanged.current = false
    const draft = { text: getValues(), rule, lastRequest, ...changed }
    const stored = readStored(sendDraftKey(owner, name.current))
    const isOthers = stored !== known.current
    if (!hasContent(draft) && isOthers) return
    // Another tab writes there: neither may lose what it shows.
    if (isOthers && stored !== null) name.current = anotherSendDraft()
    keepSendDraft(owner, draft, name.current)
    writeTabsDraft(name.current)
    known.current = readStored(sendDraftKey(owner, name.current))
  })
  const listen = (onChange: () => void) =>
    subscribe({
      formState: { values: true },
      callback: () => {
        isChanged.current = true
        onChange()
      },
    })

  const start = useCallback(
    (draft: Draft) => {
      reset(draft.text)
      setRule(draft.rule)
      setLastRequest(draft.lastRequest)
      setRound((n) => n + 1)
    },
    [reset],
  )

  /** Shows what is kept under the name, without a change of it. */
  const showKept = (draftName: string) => {
    if (!owner) return
    name.current = draftName
    known.current = readStored(sendDraftKey(owner, draftName))
    writeTabsDraft(draftName)
    start(keptSendDraft(owner, draftName) ?? newDraft)
    isChanged.current = false
  }
  /** It may have gone out without the tab that has confirmed it. */
  const leaveIfSent = async (notificationId: NotificationId) => {
    const shown = name.current
    const answer = await call(getCampaign, { params: { id: notificationId } })
    if (!answer.success || !owner) return
    discardSentDraft(owner, notificationId)
    if (name.current === shown) start(newDraft)
    store.set(endedSendAtom, { notificationId, outcome: 'sent' })
  }
  const saved = useSavedDraft({
    owner,
    kind: 'message',
    name: () => name.current,
    read: () => {
      keep()
      return owner && sendDraftContent(owner, name.current)
    },
    show: (content) => {
      const shown = owner && keepSaved(owner, name.current, content)
      if (!shown) return false
      showKept(name.current)
      const heldAs = keptSendDraft(owner, name.current)?.lastRequest?.heldAs
      if (heldAs) void leaveIfSent(heldAs)
      if (shown.isWithoutRecipients)
        toast.info('The recipients of this draft were too many to save', {
          subject: 'draft',
          detail: 'Please choose them again.',
        })
      return true
    },
    isEmpty: () => !hasContent({ text: getValues(), rule, lastRequest }),
  })
  const keepAndSave = useEffectEvent((changed?: Partial<Draft>) => {
    keep(changed)
    saved.changed()
  })
  useKeepSoon(listen, () => keepAndSave())
  useEffect(() => keepAndSave({ rule, lastRequest }), [rule, lastRequest])

  /** Another draft begins. The one that is shown stays as it is. */
  const putAside = () => {
    keep()
    saved.flush()
    name.current = anotherSendDraft()
    known.current = null
  }

  /** What was taken back is sent again as another one. */
  const forgetRequest = () => {
    isChanged.current = true
    setLastRequest(undefined)
  }
  const onEnded = useEffectEvent((send: EndedSend | undefined) => {
    if (!send || send.notificationId !== lastRequest?.heldAs) return
    if (send.outcome === 'taken-back') return forgetRequest()
    start(newDraft)
    saved.changed()
  })
  useEffect(() => store.sub(endedSendAtom, () => onEnded(store.get(endedSendAtom))), [store])

  // Another tab has confirmed, sent or cleared the draft that this one shows, too. Another text is another draft.
  const follow = useEffectEvent((key: string, newValue: string | null) => {
    if (isChanged.current || newValue === known.current) return
    if (!owner || key !== sendDraftKey(owner, name.current)) return
    if (newValue !== null && keptText(newValue) !== keptText(known.current)) return
    known.current = newValue
    start((newValue === null ? undefined : keptSendDraft(owner, name.current)) ?? newDraft)
    isChanged.current = false
  })
  const onStorage = useEffectEvent(({ key, oldValue, newValue }: StorageEvent) => {
    if (key !== null && oldValue === known.current) follow(key, newValue)
  })
  /** Nobody tells a page that the browser keeps what other tabs do. */
  const onPageShow = useEffectEvent(() => {
    const key = owner && sendDraftKey(owner, name.current)
    if (key) follow(key, readStored(key))
  })
  useEffect(() => {
    const storageListener = (event: StorageEvent) => onStorage(event)
    const pageShowListener = () => onPageShow()
    window.addEventListener('storage', storageListener)
    window.addEventListener('pageshow', pageShowListener)
    return () => {
      window.removeEventListener('storage', storageListener)
      window.removeEventListener('pageshow', pageShowListener)
    }
  }, [])

  /** The body to send and its idempotency key, a new one for another send of the same. Kept first, so that a repetition after a crash is recognized. */
  const toSend = (
    text: SentText,
    count: number,
    { isAnother = false, sendAt }: { readonly isAnother?: boolean; readonly sendAt?: string } = {},
  ) => {
    // Another tab may have confirmed the same a moment ago.
    const repeated = lastRequest ?? (owner && keptSendDraft(owner, name.current)?.lastRequest) ?? undefined
    const { body, request } = requestFor(text, { rule, lastRequest: isAnother ? undefined : repeated, sendAt }, count)
    isChanged.current = true
    setLastRequest(request)
    keepAndSave({ lastRequest: request })
    return { body, request }
  }

  /** Starts another draft. One with content can be restored. */
  const replaceWith = (draft: Draft) => {
    const shown = { text: getValues(), rule, lastRequest }
    const isKept = hasContent(shown)
    if (isKept) {
      setReplaced({ draft: shown, name: name.current })
      putAside()
    }
    isChanged.current = true
    start(draft)
    if (isKept) saved.switched()
  }
  const restore = replaced && {
    title: replaced.draft.text.title,
    run: () => {
      if (owner) discardSendDraft(owner, name.current)
      showKept(replaced.name)
      isChanged.current = true
      start(replaced.draft)
      setReplaced(undefined)
      saved.switched()
    },
  }

  return {
    form,
    round,
    rule,
    setRule: (next: Rule) => {
      isChanged.current = true
      setRule(next)
    },
    toSend,
    /** The server has confirmed the request. */
    confirmed: (request: Draft['lastRequest'], heldAs: NotificationId) => {
      const held = request && { ...request, heldAs }
      isChanged.current = true
      setLastRequest(held)
      keepAndSave({ lastRequest: held })
    },
    forgetRequest,
    /** It is scheduled, so the form is empty again, and no other device may open what it was. */
    finish: () => {
      if (owner) discardSendDraft(owner, name.current)
      known.current = null
      start(newDraft)
      isChanged.current = false
      saved.switched({ isNew: true })
    },
    heldAs: lastRequest?.heldAs,
    /** The draft is that of a request without an answer. */
    isUnanswered:
      first.lastRequest !== undefined && first.lastRequest === lastRequest && lastRequest.heldAs === undefined,
    replaceWith,
    restore,
    saved,
    /** Shows a draft that this device keeps. */
    showKept,
    putAside,
    /** Replaces the text and keeps the recipients. Returns what was there. */
    replaceText: (text: DraftText): DraftText => {
      const before = { ...getValues() }
      isChanged.current = true
      start({ text, rule, lastRequest })
      keepAndSave({ text })
      return before
    },
    startNew: () => {
      putAside()
      start(newDraft)
      isChanged.current = false
      saved.switched({ isNew: true })
    },
  }
}
