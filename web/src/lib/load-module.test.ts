import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadForPage, loadInBackground } from './load-module.ts'
import { until } from '../testing/until.ts'

// Test files share a worker: another one may have left a draft or a field.
const forgetUnsentText = () => {
  document.body.replaceChildren()
}
beforeEach(() => {
  sessionStorage.clear()
  forgetUnsentText()
})
afterEach(() => {
  forgetUnsentText()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const missingFile = async (): Promise<never> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

const mockFetchAndReload = (answer: () => Promise<Response> = async () => new Response()) => ({
  fetched: vi.spyOn(window, 'fetch').mockImplementation(answer),
  reload: vi.spyOn(window.location, 'reload').mockImplementation(() => undefined),
})

const addField = (value: string) => {
  const field = document.createElement('input')
  field.value = value
  document.body.append(field)
}

describe('loadForPage with a missing file', () => {
  test('reloads the page at most once a minute, because a release may have replaced the file', async () => {
    const { reload } = mockFetchAndReload()
    vi.useFakeTimers({ toFake: ['Date'] })
    void loadForPage(missingFile)
    await until(() => expect(reload).toHaveBeenCalledTimes(1))
    await expect(loadForPage(missingFile)).rejects.toHaveProperty('reason', 'file')
    expect(reload).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60_000)
    void loadForPage(missingFile)
    await until(() => expect(reload).toHaveBeenCalledTimes(2))
  })

  test.each([
    ['the network is down', async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server is unavailable', async () => new Response(null, { status: 503 })],
  ])('does not reload when %s', async (_why, answer) => {
    const { reload } = mockFetchAndReload(answer)
    await expect(loadForPage(missingFile)).rejects.toHaveProperty('reason', 'network')
    expect(reload).not.toHaveBeenCalled()
  })

  test('sends no request while the device is offline', async () => {
    const { fetched, reload } = mockFetchAndReload()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await expect(loadForPage(missingFile)).rejects.toHaveProperty('reason', 'network')
    expect(fetched).not.toHaveBeenCalled()
    expect(reload).not.toHaveBeenCalled()
  })

  test('does not reload while a field on the page holds unsent text', async () => {
    const { reload } = mockFetchAndReload()
    addField('Ananya')
    await expect(loadForPage(missingFile)).rejects.toHaveProperty('reason', 'file')
    expect(reload).not.toHaveBeenCalled()
  })

  test('reloads when all fields are empty', async () => {
    const { reload } = mockFetchAndReload()
    addField('')
    void loadForPage(missingFile)
    await until(() => expect(reload).toHaveBeenCalledTimes(1))
  })

  test('retries once before it reloads', async () => {
    const { reload } = mockFetchAndReload()
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

/** Fails the given number of times, then resolves. */
const failTimes = (times: number) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let left = times
  return vi.fn<() => Promise<string>>(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module')
    return 'the part'
  })
}

test('loadInBackground retries with growing delays until the module is loaded', async () => {
  const load = failTimes(3)
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

test('loadInBackground retries at once when the device is online again', async () => {
  const load = failTimes(1)
  const loaded = loadInBackground(load)
  await vi.advanceTimersByTimeAsync(10)
  window.dispatchEvent(new Event('online'))
  expect(await loaded).toBe('the part')
  expect(vi.getTimerCount()).toBe(0)
})
