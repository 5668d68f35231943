import { useEffect, useLayoutEffect, useRef } from 'react'

const isInDialog = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="presentation"]') !== null

/**
 * Moves the focus to the element with `ref` when what had it has disappeared: a row that another admin has removed, or the button that
 * opened a dialog.
 */
export const useFocusKept = () => {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef<EventTarget>(null)
  useLayoutEffect(() => {
    const root = ref.current
    if (!root) return undefined
    const onFocusIn = ({ target }: FocusEvent) => {
      last.current = target
    }
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null && !isInDialog(relatedTarget)) last.current = null
    }
    root.addEventListener('focusin', onFocusIn)
    root.addEventListener('focusout', onFocusOut)
    return () => {
      root.removeEventListener('focusin', onFocusIn)
      root.removeEventListener('focusout', onFocusOut)
    }
  }, [])
  useEffect(() => {
    const { activeElement, body } = document
    const isLost = last.current instanceof Element && !last.current.isConnected
    if (isLost && (activeElement === null || activeElement === body)) ref.current?.focus({ preventScroll: true })
  })
  return ref
}
