/** What the work brings, or undefined when it takes longer. It goes on then. */
export const inTime = async <T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), timeoutMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
