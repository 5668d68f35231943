/** The state of a navigation that changes a part of the page: neither the scroll position nor the focus moves. */
export const keepPlace = { keepsPlace: true } as const

export const keepsPlace = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'keepsPlace' in state && state.keepsPlace === true
