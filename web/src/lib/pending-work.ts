type Work = () => void | Promise<void>

/** Work that waits in case the user takes it back. */
export type PendingWork = {
  /** Does the work now. Does nothing if it was done or canceled. */
  readonly finish: () => void
  readonly cancel: () => void
}

const waiting = new Set<() => void>()
const running = new Set<Promise<void>>()
let isLeaving = false

const run = async (work: Work): Promise<void> => {
  try {
    await work()
  } catch (error) {
    console.error('pending work failed', error)
  }
}

/** Registers work that is done at the latest when the user logs out or leaves the portal. It is done at most once. */
export const addPendingWork = (work: Work): PendingWork => {
  const finish = () => {
    if (!waiting.delete(finish)) return
    const done = run(work)
    running.add(done)
    void done.finally(() => running.delete(done))
  }
  waiting.add(finish)
  return { finish, cancel: () => void waiting.delete(finish) }
}

/** Does all pending work. Resolves when it has ended, including work that was already running. */
export const finishPendingWork = async (): Promise<void> => {
  for (const finish of waiting) finish()
  await Promise.all(running)
}

/** Whether the browser is closing or suspending the page. A request must then outlive it. */
export const isLeavingPage = (): boolean => isLeaving

const leave = () => {
  isLeaving = true
  void finishPendingWork()
}
const comeBack = () => {
  isLeaving = false
}
// The build renders pages without a browser (build/render-page.tsx).
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', comeBack)
  // A suspended page may be discarded without another event.
  document.addEventListener('freeze', leave)
  document.addEventListener('resume', comeBack)
}
