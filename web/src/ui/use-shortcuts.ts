import { useEffect, useEffectEvent } from 'react'
import { isTypingIn } from './is-typing.ts'
import { shortcutKeyOf } from './shortcut-key.ts'

/** A dialog hides the rest of the page. */
const dialogs = '[role="dialog"], [role="alertdialog"]'

type Shortcuts = Readonly<Record<string, () => void>>

/** Calls the function of a key without a modifier, anywhere on the page but where text is typed. */
export const useShortcuts = (shortcuts: Shortcuts): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTypingIn(event.target) || document.querySelector(dialogs) !== null) return
    const act = shortcuts[shortcutKeyOf(event)]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
