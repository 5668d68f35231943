/** It took longer than it may. What was started goes on on its own; its outcome is no longer waited for. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/** The outcome of `work`, or a DeadlineError after `timeoutMs`. */
export const withDeadline = async <T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(`${what} took longer than ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
