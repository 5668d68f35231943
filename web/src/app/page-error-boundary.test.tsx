import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Suspense } from 'react'
import { Link, useParams } from 'react-router-dom'
import { renderPages } from '../testing/render-pages.tsx'
import { lazyPage } from './lazy-page.tsx'
import { PageErrorBoundary } from './page-error-boundary.tsx'
import { until } from '../testing/until.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const Broken = () => {
  throw new Error('broken')
}

test('a page that throws shows an error with a retry', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  renderPages(
    {
      '/': (
        <PageErrorBoundary>
          <Broken />
        </PageErrorBoundary>
      ),
    },
    '/',
  )
  expect(screen.getByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('Something went wrong on this page.'),
  )
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('the next page is shown after a failure, even if it is the same component at another path', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Item = () => {
    if (useParams()['id'] === 'broken') throw new Error('broken')
    return <p>Whole</p>
  }
  const items = (
    <>
      <PageErrorBoundary>
        <Item />
      </PageErrorBoundary>
      <Link to="/items/whole">Whole one</Link>
      <Link to="/items/broken">Broken one</Link>
    </>
  )
  renderPages({ '/items/:id': items }, '/items/broken')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong on this page.')
  await userEvent.click(screen.getByRole('link', { name: 'Whole one' }))
  expect(screen.getByText('Whole')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Broken one' }))
  expect(screen.getByRole('alert')).toBeDefined()
})

describe('a page whose files fail to load', () => {
  const open = (load: () => Promise<{ Page: () => string }>) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    sessionStorage.clear()
    // A field that another test file left in the window would keep the page from reloading.
    document.body.replaceChildren()
    // As the router makes pages.
    const Page = lazyPage('Page', load, PageErrorBoundary)
    const page = (
      <Suspense>
        <Page />
      </Suspense>
    )
    renderPages({ '/': page }, '/')
    /** Waits for the end of an attempt to load the page. The error of the previous attempt stays on the screen until then. */
    const untilFailed = (times: number) =>
      until(() => expect(errors.mock.calls.filter(([message]) => message === 'A page failed')).toHaveLength(times))
    return { untilFailed }
  }

  test('[G-55] shows the network error while offline, and the page once the network is back', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    vi.spyOn(window, 'fetch').mockImplementation(async () => new Response())
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
    const { untilFailed } = open(async () => {
      if (!navigator.onLine) throw new TypeError('Failed to fetch dynamically imported module')
      return { Page: () => 'The page' }
    })
    expect((await screen.findByRole('alert')).textContent).toContain(networkErrorMessage)
    // No reload without a network: it would replace the portal with the browser's error page.
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await untilFailed(2)
    expect((await screen.findByRole('alert')).textContent).toContain(networkErrorMessage)
    online.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByText('The page')).toBeDefined()
    expect(reload).not.toHaveBeenCalled()
  })

  test('does not reload by itself if unsent text would be lost, and says so', async () => {
    vi.spyOn(window, 'fetch').mockImplementation(async () => new Response())
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined)
    const { untilFailed } = open(async () =>
      Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
    )
    const field = document.createElement('textarea')
    field.value = 'Not sent'
    document.body.append(field)
    expect((await screen.findByRole('alert')).textContent).toContain('Text that you have not sent will be lost.')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await untilFailed(2)
    expect(await screen.findByRole('alert')).toBeDefined()
    expect(reload).not.toHaveBeenCalled()
    field.remove()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await until(() => expect(reload).toHaveBeenCalledTimes(1))
  })
})
