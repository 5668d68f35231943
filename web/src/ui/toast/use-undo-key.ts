import { useEffect, useEffectEvent } from 'react'

/** By letter, also where Alt types another character. */
const isUndoKey = ({ altKey, ctrlKey, metaKey, key, code }: KeyboardEvent): boolean =>
  altKey && !ctrlKey && !metaKey && (/^[a-z]$/i.test(key) ? key.toLowerCase() === 'z' : code === 'KeyZ')

/** Runs `undo` on Alt+Z, and not what was offered for Undo elsewhere. Does nothing without `undo`. */
export const useUndoKey = (undo: (() => void) | undefined): void => {
  const isEnabled = undo !== undefined
  const run = useEffectEvent(() => undo?.())
  useEffect(() => {
    if (!isEnabled) return undefined
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isUndoKey(event)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      run()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isEnabled])
}
