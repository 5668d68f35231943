import type { DraftKind } from '@portal/contracts/notifications/draft-kind'
import {
  draftChanged,
  type DraftSummary,
  getDraft,
  listDrafts,
  saveDraft,
} from '@portal/contracts/notifications/drafts'
import type { DraftId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { call, type Failure } from '../http.ts'
import { fingerprintOf } from '../idempotency-key.ts'
import {
  discardLinked,
  discardSaved,
  type DraftLink,
  flushDiscarded,
  newDraftId,
  readLink,
  removeLink,
  writeLink,
} from './draft-link.ts'

/** The draft as this device keeps it. */
export type KeptContent = {
  readonly title: string
  readonly content: string
  /** False if a log-out has removed a part, which the server still has. */
  readonly isWhole: boolean
}

export type SavedForm = {
  readonly owner: UserId
  readonly kind: DraftKind
  /** Which of several forms of this kind it is. */
  readonly about?: string | undefined
  /** The name under which this device keeps the draft that is shown. */
  readonly name: () => string
  readonly read: () => KeptContent | undefined
  /** Keeps and shows what the server has; undefined shows an empty form. False if a newer client wrote it. */
  readonly show: (content: string | undefined) => boolean
  /** Whether nothing is typed. */
  readonly isEmpty: () => boolean
}

export type SavedState =
  | { readonly kind: 'none' }
  | { readonly kind: 'saved' }
  /** Only this device has the last changes. Without a message the server does not answer. */
  | { readonly kind: 'unsaved'; readonly message?: string }
  /** This device and another one have changed the draft. */
  | { readonly kind: 'changed'; readonly at: string }

/** Each save is an event, forever, so a form does not save more often. */
const intervalMs = 10_000
const longIntervalMs = 60_000
const longChars = 32_000
const pauseMs = 1_500
const retryMs = 15_000

/** Repeating the same request cannot help. */
const isFinal = ({ code }: Failure): boolean =>
  code !== undefined && !['unavailable', 'unknown-outcome', 'internal', 'too-many-requests'].includes(code)

export type SavedDraftContent = DraftSummary & { readonly content: string }

/**
 * Saves what this device keeps of a form on the server, and shows what another device has saved. What the server has is known
 * by its version; the later one of two that change the same version is asked.
 */
export const createDraftSaver = (form: SavedForm, onState: (state: SavedState) => void) => {
  const { owner, kind, about } = form
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isOpened = false
  let isStopped = false
  let savedAtMs = -Infinity
  let theirs: SavedDraftContent | undefined

  const retryLater = (failure: Failure): void => {
    const { code, message, retryAfterSeconds } = failure
    // An older server has no drafts.
    const isUnsaved = code !== 'not-found' && form.read() !== undefined
    const isRefused = code !== undefined && code !== 'unavailable'
    onState(isUnsaved ? { kind: 'unsaved', ...(isRefused && { message }) } : { kind: 'none' })
    clearTimeout(timer)
    timer = undefined
    if (isStopped || isFinal(failure)) return
    timer = setTimeout(run, retryAfterSeconds === undefined ? retryMs : retryAfterSeconds * 1_000)
  }

  const adopt = ({ _id: id, version, content }: SavedDraftContent): void => {
    if (!form.show(content)) return
    const kept = form.read()
    // As this device writes it, so that showing it is no change.
    const fingerprint = kept ? fingerprintOf(kept.content) : ''
    writeLink(owner, form.name(), { id, version, fingerprint, unanswered: [] })
    onState({ kind: 'saved' })
  }

  /** The server has another version than this device. */
  const compare = async (name: string, known: DraftLink): Promise<void> => {
    const answer = await call(getDraft, { params: { id: known.id } })
    if (!answer.success && answer.code !== 'not-found') return retryLater(answer)
    const kept = form.read()
    // The form shows another draft by now.
    if (form.name() !== name) return undefined
    const fingerprint = kept && fingerprintOf(kept.content)
    const isUnchanged = !kept?.isWhole || fingerprint === known.fingerprint
    if (!answer.success) {
      // Sent or deleted elsewhere. What was typed here since is a draft of its own.
      removeLink(owner, name)
      if (!isUnchanged) return save()
      form.show(undefined)
      return onState({ kind: 'none' })
    }
    const { draft } = answer.data
    const saved = fingerprintOf(draft.content)
    if (known.unanswered.includes(saved)) {
      writeLink(owner, name, { ...known, version: draft.version, fingerprint: saved, unanswered: [] })
      return save()
    }
    if (isUnchanged || fingerprint === saved) return adopt(draft)
    theirs = draft
    return onState({ kind: 'changed', at: draft.updatedAt })
  }

  const save = async ({ isForced = false } = {}): Promise<void> => {
    const kept = form.read()
    const name = form.name()
    if (!kept) {
      // It was discarded here, or what it was for is saved.
      discardLinked(owner, name)
      return onState({ kind: 'none' })
    }
    const known = readLink(owner, name) ?? { id: newDraftId(), version: 0, fingerprint: '', unanswered: [] }
    const fingerprint = fingerprintOf(kept.content)
    if (known.fingerprint === fingerprint && !isForced) return onState({ kind: 'saved' })
    const { id, version, unanswered } = known
    // Kept first: after a crash the same id is saved again.
    writeLink(owner, name, { ...known, unanswered: [...unanswered, fingerprint].slice(-5) })
    savedAtMs = Date.now()
    const body = {
      kind,
      title: kept.title.slice(0, limits.titleChars),
      content: kept.content,
      version,
      ...(about !== undefined && { about }),
    }
    const answer = await call(saveDraft, { params: { id }, body, outlivesPage: true })
    const current = readLink(owner, name)
    // Sent or discarded meanwhile, possibly before the save arrived.
    if (answer.success && current?.id !== id) return discardSaved(owner, { id })
    if (answer.success) {
      writeLink(owner, name, { id, version: answer.data.draft.version, fingerprint, unanswered: [] })
      return onState({ kind: 'saved' })
    }
    if (answer.message === draftChanged.message && current) return compare(name, current)
    return retryLater(answer)
  }

  const load = async (id: DraftId): Promise<void> => {
    const answer = await call(getDraft, { params: { id } })
    if (answer.success && form.isEmpty()) adopt(answer.data.draft)
  }

  const open = async (): Promise<void> => {
    await flushDiscarded(owner)
    const answer = await call(listDrafts, {})
    if (!answer.success) return retryLater(answer)
    isOpened = true
    const listed = answer.data.drafts.filter((draft) => draft.kind === kind && draft.about === about)
    const kept = form.read()
    const name = form.name()
    if (!kept) {
      removeLink(owner, name)
      const [newest] = listed
      return newest && form.isEmpty() ? load(newest._id) : undefined
    }
    const known = readLink(owner, name)
    const saved = known && listed.find(({ _id }) => _id === known.id)
    if (saved && (saved.version !== known.version || !kept.isWhole)) return compare(name, known)
    // Saved again if the list does not have it, because only the answer to a save proves that it was sent or deleted.
    return save({ isForced: known !== undefined && !saved })
  }

  const attempt = async (): Promise<void> => {
    isRunning = true
    try {
      await (isOpened ? save() : open())
    } finally {
      isRunning = false
    }
    if (isWanted) schedule()
    isWanted = false
  }

  function run(): void {
    clearTimeout(timer)
    timer = undefined
    if (theirs) return
    if (isRunning) isWanted = true
    else void attempt()
  }

  const schedule = (): void => {
    if (timer !== undefined || isStopped || theirs) return
    const chars = form.read()?.content.length ?? 0
    const nextMs = savedAtMs + (chars > longChars ? longIntervalMs : intervalMs) - Date.now()
    timer = setTimeout(run, Math.max(pauseMs, nextMs))
  }

  return {
    start: run,
    /** What this device keeps has changed. */
    changed: schedule,
    /** Saves now: the page may be left. */
    flush: (): void => {
      if (isOpened) run()
    },
    stop: (): void => {
      if (isOpened) run()
      isStopped = true
      clearTimeout(timer)
    },
    /** The form shows another draft of this device, or an empty form that stays so. */
    switched: ({ isNew = false } = {}): void => {
      theirs = undefined
      isOpened = isNew
      onState({ kind: 'none' })
      if (!isNew) run()
    },
    /** Shows a draft of the server. */
    adopt,
    /** Of two versions, shows that of the other device. */
    useTheirs: (): void => {
      const draft = theirs
      theirs = undefined
      if (draft) adopt(draft)
    },
    /** Of two versions, keeps the one that is shown. */
    keepOwn: (): void => {
      const name = form.name()
      const known = readLink(owner, name)
      if (theirs && known) writeLink(owner, name, { ...known, version: theirs.version, unanswered: [] })
      theirs = undefined
      run()
    },
  }
}
export type DraftSaver = ReturnType<typeof createDraftSaver>
