import { pagePaths } from '@portal/contracts/shared/page-paths'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesFromElements, StaticRouter, type RouteObject } from 'react-router-dom'
import { expect, it, vi } from 'vitest'
import { pages } from './router.tsx'

/** The path of each route that is a page. A layout has children, and the index of a page is the page itself. */
const pathsOf = (routes: readonly RouteObject[], parent = ''): readonly string[] =>
  routes.flatMap(({ path, children = [] }) => {
    const own = path === undefined ? parent : path.startsWith('/') ? path : `${parent}/${path}`
    return [...(path === undefined || path === '*' ? [] : [own]), ...pathsOf(children, own)]
  })

it('every page is in the list by which the gateway knows its address, and no other', () => {
  expect(pathsOf(createRoutesFromElements(pages)).toSorted()).toEqual(pagePaths.toSorted())
})

const TermsRouter = ({ children }: { readonly children: ReactNode }) => (
  <StaticRouter location="/terms">{children}</StaticRouter>
)

it('the first render has the page at an address once it is preloaded, and an outline before', async () => {
  // Another file of this worker may have loaded the page.
  vi.resetModules()
  const [{ App }, { preloadPagesAt }] = await Promise.all([import('./app.tsx'), import('./router.tsx')])
  const firstRender = () => renderToString(<App Router={TermsRouter} />)
  expect(firstRender()).not.toContain('<h1')
  await preloadPagesAt('/terms')
  expect(firstRender()).toContain('<h1')
})
