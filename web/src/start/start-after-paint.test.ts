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
let round = 0
/** A module that records its execution. Its address is new for each test, because a module is executed once. */
const moduleOf = (name: string): string => `data:text/javascript,globalThis.onExecuted("${name}")//${round}`
let files: readonly string[]

const links = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')]
const preloaded = () => links().map((link) => link.getAttribute('href'))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.resetModules()
  executed.length = 0
  round++
  files = ['base', 'entry', 'page'].map(moduleOf)
  vi.stubGlobal('onExecuted', (name: string) => executed.push(name))
  vi.stubGlobal('PerformanceObserver', PaintObserver)
  vi.stubGlobal('applicationFiles', files)
  vi.stubGlobal('polyfillsFile', moduleOf('polyfills'))
  vi.spyOn(console, 'warn').mockReturnValue()
  await import('./start-after-paint.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  document.body.replaceChildren()
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

it('requests the files at once for signed-in users, whose outline has no font to wait for', async () => {
  vi.resetModules()
  vi.stubGlobal('early', { session: { role: 'student', token: 'token' }, answers: {} })
  await import('./start-after-paint.ts')
  await until(() => expect(preloaded()).toEqual(files))
})

it('[E3] executes the polyfills first in a browser that lacks what they add', async () => {
  vi.stubGlobal('AbortSignal', { prototype: AbortSignal.prototype })
  paint()
  await until(() => expect(executed).toEqual(['polyfills', 'base', 'entry', 'page']))
})

const failing = 'data:text/javascript,throw new Error("a file fails")'
const alert = () => document.querySelector('[role="alert"]')

it('says so if the application does not start, and leaves what fails later to the application', async () => {
  vi.stubGlobal('applicationFiles', [failing])
  paint()
  await until(() => expect(alert()?.textContent).toMatch(/^This page could not be loaded/))

  document.body.replaceChildren()
  vi.resetModules()
  await import('./start-after-paint.ts')
  paint()
  vi.stubGlobal('applicationFiles', undefined)
  await until(() => expect(console.warn).toHaveBeenCalledTimes(2))
  expect(alert()).toBeNull()
})
