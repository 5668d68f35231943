/** What the worker adds to an address that it opens in a new window, which is not there yet to be told. */
const parameter = { name: 'opened', value: 'push' } as const

export const addOpenedParameter = (address: URL): URL => {
  const marked = new URL(address)
  marked.search += `${marked.search === '' ? '?' : '&'}${parameter.name}=${parameter.value}`
  return marked
}

/** The address without the mark; null when it has none. */
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
