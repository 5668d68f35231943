import { atom, useSetAtom } from 'jotai'
import { useMemo } from 'react'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'

type ToastOptions = {
  /** A new toast replaces the one with the same subject. */
  readonly subject?: string
  /** Default: 4000. */
  readonly durationMs?: number
  /** A second line that explains the first. */
  readonly detail?: string
  /** A button that opens the subject of the toast. */
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

export type Toast = ToastOptions & {
  readonly id: string
  readonly kind: ToastKind
  readonly message: string
  readonly durationMs: number
}

export const defaultDurationMs = 4000

/** More toasts would cover the screen. The oldest is removed first. */
const maxVisible = 3

export const toastsAtom = atom<readonly Toast[]>([])

let lastId = 0

const showAtom = atom(null, (_get, set, toast: Omit<Toast, 'id'>) => {
  const id = `toast-${++lastId}`
  const isReplaced = ({ message, subject }: Toast) =>
    message === toast.message || (subject !== undefined && subject === toast.subject)
  set(toastsAtom, (shown) => [...shown.filter((other) => !isReplaced(other)), { ...toast, id }].slice(-maxVisible))
})

export const dismissAtom = atom(null, (_get, set, id: string) =>
  set(toastsAtom, (shown) => shown.filter((toast) => toast.id !== id)),
)

const dismissSubjectAtom = atom(null, (_get, set, subject: string) =>
  set(toastsAtom, (shown) => shown.filter((toast) => toast.subject !== subject)),
)

/** `toast.success('Saved')`. The object is stable between renders. */
export const useToast = () => {
  const show = useSetAtom(showAtom)
  const dismiss = useSetAtom(dismissSubjectAtom)
  return useMemo(() => {
    const of =
      (kind: ToastKind) =>
      (message: string, { durationMs = defaultDurationMs, ...rest }: ToastOptions = {}) =>
        show({ kind, message, durationMs, ...rest })
    return { success: of('success'), error: of('error'), warning: of('warning'), info: of('info'), dismiss }
  }, [show, dismiss])
}
