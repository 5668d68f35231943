/** ms. After this time, the page sends a request of its own. */
const longestWaitMs = 10_000

const wait = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * The answer to the request that index.html sent before any script (src/start/request-early.ts): once, and only for the session
 * that sent it. It is not validated, and fulfilled by undefined or false if the request failed.
 */
export const takeEarlyAnswer = (address: string, token: string | undefined): Promise<unknown> | undefined => {
  const { early } = globalThis
  const answer = early?.answers[address]
  if (!early || !answer || early.session?.token !== token) return undefined
  const { [address]: _taken, ...answers } = early.answers
  globalThis.early = { ...early, answers }
  return Promise.race([answer, wait(longestWaitMs)])
}
