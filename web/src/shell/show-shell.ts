/**
 * Shows what the page will look like before its scripts have loaded. The build inlines this file into index.html
 * (build/shell/shell-in-page.ts), so it imports nothing that is large.
 */
import { chooseShell } from './choose-shell.ts'
import { fillInbox, newestNotifications } from './fill-inbox.ts'
import type { Early } from './request-early.ts'

const early: Early | undefined = globalThis.early
const { pathname } = location
const kind = chooseShell(pathname, early?.session?.role)
const shell = document.getElementById('shell')
const template = document.getElementById(`shell-${kind}`)

if (shell && template instanceof HTMLTemplateElement) {
  shell.append(template.content)
  let title = ''
  for (const link of shell.querySelectorAll('a'))
    if (link.pathname === pathname) {
      link.setAttribute('aria-current', 'page')
      title = link.text
    }
  shell.querySelector('[data-title]')?.append(title)
  document.documentElement.dataset['shell'] = kind
  const newest = early?.answers[newestNotifications]
  if (newest) void fillInbox(shell, newest)
  // Lines whose parts move when a font arrives stay invisible until then.
  const fonts = ['1rem "Figtree Variable"', '650 1rem "Bricolage Grotesque Variable"'].map((font) =>
    document.fonts.load(font),
  )
  void Promise.allSettled(fonts).then(() => shell.setAttribute('data-fonts', ''))
}
