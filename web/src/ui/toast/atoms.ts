import { atom, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import { addPendingWork, type PendingWork } from '../../lib/pending-work.ts'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'

type Undo = {
  readonly onUndo: () => void
  /**
   * Runs once when the toast ends without Undo: after its time, when it is closed or replaced, when the user logs out, or when
   * the page is closed. A log-out waits for the promise.
   */
  readonly onCommit?: () => void | Promise<void>
}

type ToastOptions = {
  /** A new toast replaces the one with the same subject. */
  readonly subject?: string
  /** Default: 4000, or 8000 with `undo`. */
  readonly durationMs?: number
  /** The language of the message, if it is known; BCP 47. */
  readonly lang?: string | undefined
  /** A second line that explains the first. */
  readonly detail?: string
  /** A button that opens the subject of the toast. */
  readonly action?: { readonly label: string; readonly onPress: () => void }
  /** A button, and Alt+Z, that takes back what the toast reports. */
  readonly undo?: Undo
}

export type Toast = Omit<ToastOptions, 'undo'> & {
  readonly id: string
  readonly kind: ToastKind
  readonly message: string
  readonly durationMs: number
  readonly undo?: { readonly onUndo: () => void; readonly commit: PendingWork }
}

export const defaultDurationMs = 4000
export const undoDurationMs = 8000

/** More toasts would cover the screen. The oldest is removed first. */
const maxVisible = 3

const shownAtom = atom<readonly Toast[]>([])
export const toastsAtom = atom((get) => get(shownAtom))

let lastId = 0

/** Removes toasts, then commits what can no longer be undone. */
const endAtom = atom(null, (get, set, isEnded: (toast: Toast) => boolean) => {
  const ended = get(shownAtom).filter(isEnded)
  if (ended.length === 0) return
  set(shownAtom, (shown) => shown.filter((toast) => !ended.includes(toast)))
  for (const { undo } of ended) undo?.commit.finish()
})

type NewToast = Omit<ToastOptions, 'durationMs'> & Pick<Toast, 'kind' | 'message' | 'durationMs'>

/** The toast to remove when there are too many. One that can be undone stays as long as another can go. */
const surplusOf = (shown: readonly Toast[]): Toast | undefined =>
  shown.length < maxVisible ? undefined : (shown.find(({ undo }) => !undo) ?? shown[0])

/** What the page says itself. */
const saidByPageAtom = atom<readonly string[]>([])

const showAtom = atom(null, (get, set, { undo, ...toast }: NewToast) => {
  if (get(saidByPageAtom).includes(toast.message)) return
  const id = `toast-${++lastId}`
  const isReplaced = ({ message, subject }: Toast) =>
    message === toast.message || (subject !== undefined && subject === toast.subject)
  set(endAtom, isReplaced)
  const surplus = surplusOf(get(shownAtom))
  if (surplus) set(endAtom, (shown) => shown === surplus)
  const withUndo = undo && {
    onUndo: undo.onUndo,
    commit: addPendingWork(() => {
      set(shownAtom, (shown) => shown.filter((other) => other.id !== id))
      return undo.onCommit?.()
    }),
  }
  set(shownAtom, (shown) => [...shown, { ...toast, id, ...(withUndo && { undo: withUndo }) }])
})

export const dismissAtom = atom(null, (_get, set, id: string) => set(endAtom, (toast) => toast.id === id))

const dismissSubjectAtom = atom(null, (_get, set, subject: string) =>
  set(endAtom, (toast) => toast.subject === subject),
)

/** Takes back what a toast reports. */
export const undoAtom = atom(null, (get, set, id: string) => {
  const undo = get(shownAtom).find((toast) => toast.id === id)?.undo
  if (!undo) return
  undo.commit.cancel()
  set(shownAtom, (shown) => shown.filter((toast) => toast.id !== id))
  undo.onUndo()
})

/** `toast.success('Saved')`. The object is stable between renders. */
export const useToast = () => {
  const show = useSetAtom(showAtom)
  const dismiss = useSetAtom(dismissSubjectAtom)
  return useMemo(() => {
    const of =
      (kind: ToastKind) =>
      (message: string, { durationMs, ...rest }: ToastOptions = {}) =>
        show({ kind, message, durationMs: durationMs ?? (rest.undo ? undoDurationMs : defaultDurationMs), ...rest })
    return { success: of('success'), error: of('error'), warning: of('warning'), info: of('info'), dismiss }
  }, [show, dismiss])
}

/** While mounted, no toast says `message`, because the page does. An empty one changes nothing. */
export const useSaidByPage = (message: string): void => {
  const set = useSetAtom(saidByPageAtom)
  useEffect(() => {
    if (message === '') return undefined
    set((said) => [...said, message])
    return () => set((said) => said.toSpliced(said.indexOf(message), 1))
  }, [message, set])
}
