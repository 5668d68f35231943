import { Fragment, lazy, type ComponentType, type ReactNode } from 'react'
import { loadForPage } from '../lib/load-module.ts'

export type LoadPage<Name extends string> = () => Promise<Record<Name, ComponentType>>

const resetters = new Set<() => void>()

/** Makes the next render request the failed files again. React's `lazy` caches a failed load forever. */
export const resetFailedPages = (): void => {
  for (const reset of resetters) reset()
}

const preloads = new WeakMap<object, () => Promise<void>>()

/** Loads a component of `lazyPage` before its first render, which then shows it at once, and reports a failed load. */
export const preloadPage = async (page: object): Promise<void> => preloads.get(page)?.()

type Boundary = ComponentType<{ readonly children: ReactNode }> | typeof Fragment

/** A page or layout that is loaded on first render. `name` is the named export of its module. */
export const lazyPage = <Name extends string>(
  name: Name,
  load: LoadPage<Name>,
  Boundary: Boundary = Fragment,
): ComponentType => {
  let hasFailed = false
  const create = () =>
    lazy<ComponentType>(async () => {
      try {
        return { default: (await loadForPage(load))[name] }
      } catch (error) {
        hasFailed = true
        throw error
      }
    })
  let Loaded: ComponentType = create()
  resetters.add(() => {
    if (!hasFailed) return
    hasFailed = false
    Loaded = create()
  })
  // The boundary keeps its children. They must find the present `Loaded` when it renders them again.
  const Content = () => <Loaded />
  const Page = () => (
    <Boundary>
      <Content />
    </Boundary>
  )
  preloads.set(Page, async () => {
    try {
      Loaded = (await load())[name]
    } catch (error) {
      console.debug('page not preloaded', error)
    }
  })
  return Page
}
