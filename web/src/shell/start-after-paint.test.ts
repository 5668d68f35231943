import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { until } from '../testing/until.ts'

let paint: () => void

/** Stands in for the browser's observer of paints, because jsdom paints nothing. */
class PaintObserver {
  constructor(onPaint: () => void) {
    paint = onPaint
  }
  observe(): void {}
}

const executed: string[] = []
/** A module that records its execution. */
const moduleOf = (name: string): string => `data:text/javascript,globalThis.onExecuted("${name}")`
const files = ['base', 'entry', 'page'].map(moduleOf)

const links = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')]
const preloaded = () => links().map((link) => link.getAttribute('href'))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.resetModules()
  executed.length = 0
  vi.stubGlobal('onExecuted', (name: string) => executed.push(name))
  vi.stubGlobal('PerformanceObserver', PaintObserver)
  vi.stubGlobal('applicationFiles', files)
  await import('./start-after-paint.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  // Nothing else: the styles in the head belong to test files that share this document.
  for (const link of links()) link.remove()
})

it('requests the files at the first paint, once, and executes them in order', async () => {
  vi.advanceTimersByTime(900)
  expect(preloaded()).toEqual([])
  paint()
  await until(() => expect(executed).toEqual(['base', 'entry', 'page']))
  expect(preloaded()).toEqual(files)
  paint()
  vi.advanceTimersByTime(1_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(preloaded()).toHaveLength(3)
})

it('requests the files after a second in a tab in the background, which paints nothing', async () => {
  vi.advanceTimersByTime(1_000)
  await until(() => expect(preloaded()).toEqual(files))
})
