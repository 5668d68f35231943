/** What the worker adds to an address that it opens in a new window, which is not there yet to be told. */
const mark = { name: 'opened', value: 'push' } as const

export const withOpenedMark = (address: URL): URL => {
  const marked = new URL(address)
  marked.search += `${marked.search === '' ? '?' : '&'}${mark.name}=${mark.value}`
  return marked
}

/** The address without the mark; null when it has none. */
export const withoutOpenedMark = ({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null => {
  const parameters = new URLSearchParams(search)
  if (parameters.get(mark.name) !== mark.value) return null
  parameters.delete(mark.name)
  const rest = parameters.toString()
  return `${pathname}${rest === '' ? '' : `?${rest}`}${hash}`
}
