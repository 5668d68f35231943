import { startTransition, useOptimistic } from 'react'
import { useSearchParams, type NavigateOptions } from 'react-router-dom'

type Change = URLSearchParams | ((current: URLSearchParams) => URLSearchParams)

/**
 * The parameters of the address, as `useSearchParams` has them, with a change visible at once. The router renders a new address
 * in a transition, which yields to other work. Until then a pressed check box would turn back, and a second change would start
 * from the parameters before the first.
 */
export const useAddressSearch = () => {
  const [committed, commit] = useSearchParams()
  const [search, show] = useOptimistic(committed)
  const setSearch = (change: Change, options: Pick<NavigateOptions, 'replace' | 'state'>) => {
    const next = typeof change === 'function' ? change(search) : change
    startTransition(() => {
      show(next)
      commit(next, options)
    })
  }
  return [search, setSearch] as const
}
