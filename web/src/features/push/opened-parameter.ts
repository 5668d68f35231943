/** The query parameter that marks an address opened by the worker: a new window cannot receive messages yet. */
const parameter = { name: 'opened', value: 'push' } as const

export const addOpenedParameter = (address: URL): URL => {
  const result = new URL(address)
  result.search += `${result.search === '' ? '?' : '&'}${parameter.name}=${parameter.value}`
  return result
}

/** The address without the parameter; null if it has none. */
export const removeOpenedParameter = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null => {
  const parameters = new URLSearchParams(search)
  if (parameters.get(parameter.name) !== parameter.value) return null
  parameters.delete(parameter.name)
  const rest = parameters.toString()
  return `${pathname}${rest === '' ? '' : `?${rest}`}${hash}`
}
