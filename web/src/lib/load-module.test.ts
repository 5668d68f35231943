import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepUnsentText, loadForPage, loadInBackground } from './load-module.ts'

beforeEach(() => sessionStorage.clear())
afterEach(() => {
  keepUnsentText(false)
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const missing = async (): Promise<never> => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

const arrange = (answer: () => Promise<Response> = async () => new Response()) => ({
  asked: vi.spyOn(window, 'fetch').mockImplementation(answer),
  reload: vi.spyOn(window.location, 'reload').mockImplementation(() => undefined),
})

const typed = (value: string) => {
  const field = document.createElement('input')
  field.value = value
  document.body.append(field)
}

describe('a file that the page needs and that is missing', () => {
  test('as a release took it away reloads the page once a minute', async () => {
    const { reload } = arrange()
    vi.useFakeTimers({ toFake: ['Date'] })
    void loadForPage(missing)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    await expect(loadForPage(missing)).rejects.toHaveProperty('reason', 'file')
    expect(reload).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60_000)
    void loadForPage(missing)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  })

  test.each([
    ['the network is gone', async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server cannot answer', async () => new Response(null, { status: 503 })],
  ])('as %s leaves the page as it is', async (_why, answer) => {
    const { reload } = arrange(answer)
    await expect(loadForPage(missing)).rejects.toHaveProperty('reason', 'network')
    expect(reload).not.toHaveBeenCalled()
  })

  test('while the device says that it has no network is not even asked about', async () => {
    const { asked, reload } = arrange()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await expect(loadForPage(missing)).rejects.toHaveProperty('reason', 'network')
    expect(asked).not.toHaveBeenCalled()
    expect(reload).not.toHaveBeenCalled()
  })

  test.each([
    ['stands in a field', () => typed('Ananya')],
    ['is kept by another page', () => keepUnsentText(true)],
  ])('reloads nothing while typed text %s', async (_where, type) => {
    const { reload } = arrange()
    type()
    await expect(loadForPage(missing)).rejects.toHaveProperty('reason', 'file')
    expect(reload).not.toHaveBeenCalled()
  })

  test('reloads where the fields are empty', async () => {
    const { reload } = arrange()
    typed('')
    void loadForPage(missing)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  })

  test('for a moment only is loaded by a second try', async () => {
    const { reload } = arrange()
    const load = vi.fn<() => Promise<string>>(async () => 'the page').mockRejectedValueOnce(new TypeError('Failed'))
    expect(await loadForPage(load)).toBe('the page')
    expect(reload).not.toHaveBeenCalled()
  })
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Fails as often as it is told, then brings the part. */
const failing = (times: number) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let left = times
  return vi.fn<() => Promise<string>>(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module')
    return 'the part'
  })
}

test('a part that cannot be loaded is tried again, ever more rarely, until it is there', async () => {
  const load = failing(3)
  const loaded = loadInBackground(load)
  await vi.advanceTimersByTimeAsync(0)
  const calls: number[] = []
  for (const ms of [1_000, 1_000, 1_000, 4_000]) {
    await vi.advanceTimersByTimeAsync(ms)
    calls.push(load.mock.calls.length)
  }
  expect(calls).toEqual([2, 2, 3, 4])
  expect(await loaded).toBe('the part')
})

test('a part is tried at once when there is a network again', async () => {
  const load = failing(1)
  const loaded = loadInBackground(load)
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  expect(await loaded).toBe('the part')
  expect(vi.getTimerCount()).toBe(0)
})
