import { useEffect, useEffectEvent } from 'react'
import { shortcutKeyOf } from '../shortcut-key.ts'

/** Whether Alt+Z was pressed, also where Alt types another character. */
const isUndoKey = (event: KeyboardEvent): boolean =>
  event.altKey && !event.ctrlKey && !event.metaKey && shortcutKeyOf(event) === 'z'

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
