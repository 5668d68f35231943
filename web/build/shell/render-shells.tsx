import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { theme } from '../../src/app/theme/theme.ts'
import { shellKinds, type ShellKind } from '../../src/shell/choose-shell.ts'
import { AdminShell } from './admin-shell.tsx'
import { LoginShell, RegisterShell, ResetShell } from './auth-shells.tsx'
import { LandingShell } from './landing-shell.tsx'
import { HomeShell, InboxShell, LearnerShell } from './learner-shells.tsx'
import { compactCss } from './compact-css.ts'

const pages: Readonly<Record<ShellKind, ReactNode>> = {
  landing: <LandingShell />,
  login: <LoginShell />,
  register: <RegisterShell />,
  reset: <ResetShell />,
  home: <HomeShell />,
  inbox: <InboxShell />,
  learner: <LearnerShell />,
  admin: <AdminShell />,
}

/** Ids must be those of the page itself, and headings and landmarks too: the shell is hidden from assistive technology. */
const withoutMeaning = (html: string): string =>
  html
    .replaceAll(/<nav(?=[^>]* aria-label="On this page")/g, '<nav data-settles')
    .replaceAll(/ (?:id|aria-[a-z]+|role|focusable|data-discover|data-placement|tabindex|type)="[^"]*"/g, '')
    .replaceAll(/<(\/?)(?:main|header|nav|section|aside|h1|h2)(?=[ >])/g, '<$1div')
    .replaceAll(/<(a|button)(?=[ >])/g, '<$1 tabindex="-1"')
    .replaceAll(/><\/(?:path|circle)>/g, '/>')
    // Of these attributes, rules and scripts read the presence, and the value is the default.
    .replaceAll(/ (data-[a-z-]+)="(?:true)?"/g, ' $1')
    .replaceAll(' opacity="1"', '')

const classAttribute = / class="([^"]*)"/g

const classesIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(classAttribute)].flatMap(([, names = '']) => names.split(' ')))

/** Removes class names without rules, and shortens the others. */
const withShortClasses = (html: string, css: string, short: ReadonlyMap<string, string>): string =>
  html.replaceAll(classAttribute, (_whole, names: string) => {
    const used = names.split(' ').filter((name) => css.includes(`.${name}`))
    return used.length === 0 ? '' : ` class="${used.map((name) => short.get(name) ?? name).join(' ')}"`
  })

export type Shells = {
  readonly css: string
  readonly pages: readonly { readonly kind: ShellKind; readonly html: string }[]
}

/** Renders each shell with the components of the product, so that both have the same measures. */
export const renderShells = (): Shells => {
  const rules = new Set<string>()
  const render = (page: ReactNode): string =>
    renderToStaticMarkup(
      <ThemeProvider theme={theme} noSsr disableStyleSheetGeneration>
        <MemoryRouter initialEntries={['/-']}>{page}</MemoryRouter>
      </ThemeProvider>,
    ).replaceAll(/<style[^>]*>(.*?)<\/style>/gs, (_whole, css: string) => {
      rules.add(css)
      return ''
    })
  const rendered = shellKinds.map((kind) => ({ kind, html: render(pages[kind]) }))
  const html = rendered.map((page) => page.html).join('')
  const css = compactCss([...rules].join(''), classesIn(html))
  const generated = [...classesIn(html)].filter((name) => name.startsWith('css-') && css.includes(`.${name}`))
  const short = new Map(generated.map((name, n) => [name, `s${n.toString(36)}`]))
  return {
    css: css.replaceAll(/\.(css-[\w-]+)/g, (_whole, name: string) => `.${short.get(name) ?? name}`),
    pages: rendered.map((page) => ({
      kind: page.kind,
      html: withShortClasses(withoutMeaning(page.html), css, short),
    })),
  }
}
