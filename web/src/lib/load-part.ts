const firstRetryMs = 1_000
const longestRetryMs = 60_000

/** Resolves after that time, or as soon as the device has a network again. */
export const untilWorthATry = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })

/**
 * Loads a part that works behind the page. What is on the screen does not need it, so a network that is gone is no reason to
 * give up, or to fail the page: it is tried again for as long as the page is open.
 */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs)) {
    try {
      return await load()
    } catch (error) {
      console.warn('A part of the page could not be loaded; it is tried again', error)
      await untilWorthATry(retryMs)
    }
  }
}
