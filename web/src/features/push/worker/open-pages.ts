import type { taken, WorkerMessage } from '../worker-messages.ts'
import type { OpenPage, PushScope } from './scope.ts'

/** A page that does not answer within this time does not listen: nobody is signed in there. */
const answerTimeoutMs = 500
/** Browsers allow a click to open a window for a few seconds only. */
const mostAsked = 4

const rank = (page: OpenPage): number => {
  if (page.focused) return 0
  return page.visibilityState === 'visible' ? 1 : 2
}

/** Those that are looked at come first. */
export const openPages = async ({ clients }: PushScope): Promise<readonly OpenPage[]> => {
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return open.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostAsked)
}

const isTaken = (answer: unknown): answer is typeof taken =>
  typeof answer === 'object' && answer !== null && 'taken' in answer && answer.taken === true

/** Whether the page took it. */
export const tell = (page: OpenPage, message: WorkerMessage): Promise<boolean> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const settle = (wasTaken: boolean) => {
      clearTimeout(timer)
      port1.close()
      resolve(wasTaken)
    }
    const timer = setTimeout(() => settle(false), answerTimeoutMs)
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => settle(isTaken(data)))
    port1.start()
    page.postMessage(message, [port2])
  })
