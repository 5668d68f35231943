import { atom, useSetAtom } from 'jotai'
import { useMemo } from 'react'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'

type ToastOptions = {
  /** A toast takes the place of the one with the same subject. */
  readonly subject?: string
  /** How long it stays; 4000 unless told. */
  readonly durationMs?: number
  /** A second line, for what explains the first. */
  readonly detail?: string
  /** Goes to what the toast speaks of. */
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

export type Toast = ToastOptions & {
  readonly id: string
  readonly kind: ToastKind
  readonly message: string
  readonly durationMs: number
}

export const defaultDurationMs = 4000

/** More than these would hide the screen they speak of; the oldest goes first. */
const shownAtOnce = 3

export const toastsAtom = atom<readonly Toast[]>([])

let made = 0

const showAtom = atom(null, (_get, set, toast: Omit<Toast, 'id'>) => {
  const id = `toast-${++made}`
  // The same words twice at once tell nothing more.
  const isReplaced = ({ message, subject }: Toast) =>
    message === toast.message || (subject !== undefined && subject === toast.subject)
  set(toastsAtom, (shown) => [...shown.filter((other) => !isReplaced(other)), { ...toast, id }].slice(-shownAtOnce))
})

export const dismissAtom = atom(null, (_get, set, id: string) =>
  set(toastsAtom, (shown) => shown.filter((toast) => toast.id !== id)),
)

/** `toast.success('Saved')`. The object stays the same between renders. */
export const useToast = () => {
  const show = useSetAtom(showAtom)
  return useMemo(() => {
    const of =
      (kind: ToastKind) =>
      (message: string, { durationMs = defaultDurationMs, ...rest }: ToastOptions = {}) =>
        show({ kind, message, durationMs, ...rest })
    return { success: of('success'), error: of('error'), warning: of('warning'), info: of('info') }
  }, [show])
}
