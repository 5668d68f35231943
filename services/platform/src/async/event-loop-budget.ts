import { performance } from 'node:perf_hooks'

const budgetMs = 2

type EventLoopBudget = {
  /** Whether `yieldToEventLoop` would wait: the moment to commit work in progress. */
  isOverBudget(): boolean
  /** Await before each piece of background work. Resolves at once within the budget, otherwise in the next turn. */
  yieldToEventLoop(): Promise<void>
}

type EventLoop = {
  elapsedMs(): number
  setImmediate(callback: () => void): void
}

/** A time budget for background work in each turn of the event loop, so that requests are served in between. */
export const createEventLoopBudget = ({ elapsedMs, setImmediate: onNextTurn }: EventLoop): EventLoopBudget => {
  /** Undefined until some work runs. */
  let endsAtMs: number | undefined
  let waiting: (() => void)[] = []

  const startBudget = (): void => {
    endsAtMs = elapsedMs() + budgetMs
    onNextTurn(startTurn)
  }

  const startTurn = (): void => {
    const resumed = waiting
    waiting = []
    endsAtMs = undefined
    if (resumed.length > 0) startBudget()
    // Resume all, so that no consumer starves. Each exceeds the budget by at most one piece of work.
    for (const resume of resumed) resume()
  }

  const isOverBudget = (): boolean => endsAtMs !== undefined && elapsedMs() >= endsAtMs

  return {
    isOverBudget,
    yieldToEventLoop: async () => {
      if (endsAtMs === undefined) startBudget()
      else if (isOverBudget()) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

/** One budget for all consumers of the process: ten separate ones would delay a request by twenty milliseconds. */
export const { isOverBudget, yieldToEventLoop } = createEventLoopBudget({
  elapsedMs: () => performance.now(),
  setImmediate: (callback) => void setImmediate(callback),
})
