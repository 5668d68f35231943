import { lazy, type ComponentType } from 'react'
import { loadForPage } from '../lib/load-module.ts'

export type LoadPage<Name extends string> = () => Promise<Record<Name, ComponentType>>

const resetters = new Set<() => void>()

/** After a failure: the next render asks for the missing files again, which React by itself would never do. */
export const resetFailedPages = (): void => {
  for (const forget of resetters) forget()
}

/** A component of a page or a layout, loaded when it is first needed; a named export of its module. */
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
