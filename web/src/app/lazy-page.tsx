import { lazy, type ComponentType } from 'react'
import { loadForPage } from '../lib/load-module.ts'

export type LoadPage<Name extends string> = () => Promise<Record<Name, ComponentType>>

const resetters = new Set<() => void>()

/** Makes the next render request the failed files again. React's `lazy` caches a failed load forever. */
export const resetFailedPages = (): void => {
  for (const reset of resetters) reset()
}

/** A page or layout that is loaded on first render. `name` is the named export of its module. */
export const lazyPage = <Name extends string>(name: Name, load: LoadPage<Name>): ComponentType => {
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
  let Loaded = create()
  resetters.add(() => {
    if (!hasFailed) return
    hasFailed = false
    Loaded = create()
  })
  return () => <Loaded />
}
