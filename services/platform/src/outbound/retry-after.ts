/** The header holds seconds or a date. Undefined if it holds no later time. */
export const retryAfterMs = (header: unknown, now: () => Date): number | undefined => {
  if (typeof header !== 'string' || header === '') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now().getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
