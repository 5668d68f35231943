import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { Link, useParams } from 'react-router-dom'
import { renderPages } from '../testing/render-pages.tsx'
import { PageFailure } from './page-failure.tsx'
import { reloadForRelease } from './reload-for-release.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const Broken = () => {
  throw new Error('broken')
}

test('a page that breaks says so and offers to try again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  renderPages(
    {
      '/': (
        <PageFailure>
          <Broken />
        </PageFailure>
      ),
    },
    '/',
  )
  expect(screen.getByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('This page could not be shown.'),
  )
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('the page that one goes to next is shown, even where it is the same one at another address', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Item = () => {
    if (useParams()['id'] === 'broken') throw new Error('broken')
    return <p>Whole</p>
  }
  const items = (
    <>
      <PageFailure>
        <Item />
      </PageFailure>
      <Link to="/items/whole">Whole one</Link>
      <Link to="/items/broken">Broken one</Link>
    </>
  )
  renderPages({ '/items/:id': items }, '/items/broken')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be shown.')
  await userEvent.click(screen.getByRole('link', { name: 'Whole one' }))
  expect(screen.getByText('Whole')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Broken one' }))
  expect(screen.getByRole('alert')).toBeDefined()
})

describe('a file that is missing', () => {
  const miss = () => window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  /** What the server is asked, and each reload. */
  const arrange = (answer: () => Promise<Response>) => {
    sessionStorage.clear()
    return {
      asked: vi.spyOn(window, 'fetch').mockImplementation(answer),
      reload: vi.spyOn(window.location, 'reload').mockImplementation(() => undefined),
    }
  }
  beforeAll(() => reloadForRelease())

  test('as a release took it away reloads the page once', async () => {
    const { asked, reload } = arrange(async () => new Response())
    miss()
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    miss()
    await waitFor(() => expect(asked).toHaveResolvedTimes(2))
    expect(reload).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['there is no network', async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the server cannot answer', async () => new Response(null, { status: 503 })],
  ])('as %s leaves the page as it is', async (_why, answer) => {
    const { asked, reload } = arrange(answer)
    miss()
    await waitFor(() => expect(asked.mock.settledResults).toHaveLength(1))
    expect(reload).not.toHaveBeenCalled()
  })
})
