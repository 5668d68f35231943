// @vitest-environment node
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { shellKinds } from '../../src/shell/choose-shell.ts'
import { renderShells } from './render-shells.tsx'
import { bundleScript, shellMarkup } from './shell-in-page.ts'

/** The page is one document for every path, so it carries all shells. */
const budgetBytes = 6_144

describe('the shells in index.html', () => {
  it('are smaller than 6 KiB together, gzipped', async () => {
    const scripts = [await bundleScript('request-early'), await bundleScript('show-shell')] as const
    const markup = shellMarkup(renderShells(), scripts[1])
    expect(gzipSync(scripts[0] + markup, { level: 9 }).length).toBeLessThan(budgetBytes)
  })

  it('are hidden from assistive technology, and take no focus and no id from the page', () => {
    const { pages } = renderShells()
    expect(pages.map(({ kind }) => kind)).toEqual(shellKinds)
    for (const { html } of pages) {
      expect(html).not.toMatch(/ id="|<h[1-6]|<main|<nav| aria-/)
      const focusable = [...html.matchAll(/<(?:a|button) [^>]*>/g)].map(([tag]) => tag)
      expect(focusable.filter((tag) => !tag.includes('tabindex="-1"'))).toEqual([])
    }
  })

  it('have rules for every class that they keep', () => {
    const { css, pages } = renderShells()
    const names = pages.flatMap(({ html }) =>
      [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, all = '']) => all.split(' ')),
    )
    expect([...new Set(names)].filter((name) => !css.includes(`.${name}`))).toEqual([])
    expect(css).not.toContain('css-')
  })

  it('show the hero, the forms and the inbox by name', () => {
    const htmlOf = Object.fromEntries(renderShells().pages.map(({ kind, html }) => [kind, html]))
    expect(htmlOf['landing']).toContain('Sign Up')
    expect(htmlOf['login']).toContain('Welcome back')
    expect(htmlOf['register']).toContain('Create Account')
    expect(htmlOf['reset']).toContain('Reset Password')
    expect(htmlOf['inbox']).toContain('Notifications')
    expect(htmlOf['admin']).toContain('Universities')
  })
})
