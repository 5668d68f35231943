import { useEffect, type RefObject } from 'react'
import { isTypingIn } from './is-typing.ts'
import { shortcutKeyOf } from './shortcut-key.ts'

/** A dialog hides the rest of the page. */
const hidden = '[aria-hidden="true"], [inert]'

/** Focuses a field on `/`, the first one of the page if there are several. */
export const useSlashKey = (field: RefObject<HTMLInputElement | null>): void =>
  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (shortcutKeyOf(event) !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (isTypingIn(event.target)) return
      if (!field.current || field.current.closest(hidden)) return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    document.addEventListener('keydown', focusOnSlash)
    return () => document.removeEventListener('keydown', focusOnSlash)
  }, [field])
