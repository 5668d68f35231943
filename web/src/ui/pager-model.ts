export type PagerEntry =
  { readonly kind: 'page'; readonly page: number } | { readonly kind: 'gap'; readonly before: number }

/** The first page, the last, and those within one of the current; a gap stands for what is left out. */
export const pagerEntries = (page: number, totalPages: number): readonly PagerEntry[] => {
  const wanted = [1, page - 1, page, page + 1, totalPages].filter((one) => one >= 1 && one <= totalPages)
  const shown = [...new Set(wanted)].toSorted((a, b) => a - b)
  return shown.flatMap((one, index): PagerEntry[] => {
    const entry = { kind: 'page', page: one } as const
    return one - (shown[index - 1] ?? 0) > 1 ? [{ kind: 'gap', before: one }, entry] : [entry]
  })
}

/** 'Showing 11 to 20 of 42 notifications'. */
export const rangeText = (
  { page, limit, total }: { readonly page: number; readonly limit: number; readonly total: number },
  noun: string,
): string => {
  const from = Math.min((page - 1) * limit + 1, total)
  return `Showing ${from} to ${Math.min(page * limit, total)} of ${total} ${noun}`
}
