import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadForPage } from './load-for-page.ts'
import { keepUnsentText } from './unsent-text.ts'

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
