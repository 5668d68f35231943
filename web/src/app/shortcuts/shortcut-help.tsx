import { lazy, Suspense, useEffect, useState } from 'react'
import { loadInBackground } from '../../lib/load-module.ts'
import { isTypingIn } from '../../ui/is-typing.ts'
import { shortcutKeyOf } from '../../ui/shortcut-key.ts'

/** Loaded on the first use: most visits never open it. */
const ShortcutDialog = lazy(async () => {
  const { ShortcutDialog: Loaded } = await loadInBackground(() => import('./shortcut-dialog.tsx'))
  return { default: Loaded }
})

/** Shows the list of keyboard shortcuts on `?`. */
export const ShortcutHelp = () => {
  const [wasOpened, setWasOpened] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (shortcutKeyOf(event) !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return
      if (isTypingIn(event.target) || document.querySelector('[aria-modal="true"]')) return
      event.preventDefault()
      setWasOpened(true)
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  if (!wasOpened) return null
  return (
    <Suspense fallback={null}>
      <ShortcutDialog open={isOpen} onClose={() => setOpen(false)} />
    </Suspense>
  )
}
