import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy, Suspense, useState } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppProviders } from './providers/app-providers.tsx'
import { typingPauseMs } from '../lib/use-typed-text.ts'
import { useSearchText } from '../lib/use-search-text.ts'
import { ListSearch } from '../ui/list-search.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { until } from '../testing/until.ts'

const names = ['Minor in AI', 'Minor in design', 'Minor in analytics']

const ListPage = () => {
  const [text, type, query] = useSearchText()
  const found = names.filter((name) => name.toLowerCase().includes(query))
  return (
    <>
      <ListSearch
        label="Search programs"
        value={text}
        onChange={type}
        found={found.length}
        total={names.length}
        noun={['program', 'programs']}
      />
      <Link to="/next">Next</Link>
    </>
  )
}
const NeverLoaded = lazy(() => new Promise<never>(() => {}))

const openList = (address: string) => {
  window.history.replaceState(null, '', address)
  render(
    <AppProviders>
      <BrowserRouter>
        <Suspense>
          <Routes>
            <Route path="/list" element={<ListPage />} />
            <Route path="/next" element={<NeverLoaded />} />
          </Routes>
        </Suspense>
      </BrowserRouter>
    </AppProviders>,
  )
}

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search programs' })
const count = () => screen.getByRole('status').textContent
const address = () => window.location.pathname + window.location.search
const typeQuery = (text: string) => fireEvent.change(field(), { target: { value: text } })
const pause = (ms = typingPauseMs) => act(() => vi.advanceTimersByTimeAsync(ms))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the search of a list', () => {
  it('applies the query after a pause in typing and keeps it in the address, without an entry in the history', async () => {
    vi.useFakeTimers()
    openList('/list?sort=name&page=3')
    const before = window.history.length
    expect(count()).toBe('3 programs')
    typeQuery('ai')
    await pause(typingPauseMs - 1)
    expect(count()).toBe('3 programs')
    await pause(1)
    expect(count()).toBe('1 of 3 programs')
    expect(address()).toBe('/list?sort=name&q=ai')
    expect(window.history.length).toBe(before)
  })

  it('stays away after the user has left the page before the pause, even while the next page loads', async () => {
    vi.useFakeTimers()
    openList('/list')
    typeQuery('ai')
    fireEvent.click(screen.getByRole('link', { name: 'Next' }))
    await pause(2 * typingPauseMs)
    expect(screen.getByRole('searchbox', { name: 'Search programs' })).not.toBeNull()
    expect(address()).toBe('/next')
  })

  it('restores the query of the address, and is cleared by its button at once, which leaves the focus in the field', async () => {
    const user = userEvent.setup()
    openList('/list?q=design')
    expect(field().value).toBe('design')
    expect(count()).toBe('1 of 3 programs')
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(field().value).toBe('')
    expect(document.activeElement).toBe(field())
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
    await until(() => expect(count()).toBe('3 programs'))
    expect(address()).toBe('/list')
  })

  it('names one entry and the server’s search', () => {
    const props = { label: 'Search', value: '', onChange: () => {}, noun: ['user', 'users'] as const }
    render(
      <AppProviders>
        <ListSearch {...props} found={1} total={1} />
        <ListSearch {...props} found={undefined} total={20} />
        <ListSearch {...props} found={0} total={1234} />
      </AppProviders>,
    )
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
      '1 user',
      'Searching',
      '0 of 1,234 users',
    ])
  })
})

const Fields = () => {
  const [first, setFirst] = useState('ai')
  return (
    <>
      <button type="button">Elsewhere</button>
      <textarea aria-label="Message" />
      <SearchField label="First" value={first} onChange={setFirst} />
      <SearchField label="Second" value="" onChange={() => {}} />
    </>
  )
}

describe('the slash key', () => {
  const openFields = (isHidden = false) =>
    render(
      <AppProviders>
        <div aria-hidden={isHidden || undefined}>
          <Fields />
        </div>
      </AppProviders>,
    )
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent

  it('focuses the first search field and selects its text', async () => {
    const user = userEvent.setup()
    const view = openFields()
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }))
    await user.keyboard('/')
    expect(focused()).toBe('First')
    await user.keyboard('design')
    expect(within(view.container).getByRole<HTMLInputElement>('searchbox', { name: 'First' }).value).toBe('design')
  })

  it('is text in a field, and nothing with a modifier', async () => {
    const user = userEvent.setup()
    openFields()
    await user.keyboard('{Control>}/{/Control}')
    expect(document.activeElement).toBe(document.body)
    const message = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
    await user.type(message, 'and/or')
    expect(message.value).toBe('and/or')
  })

  it('does nothing below a dialog', async () => {
    const user = userEvent.setup()
    openFields(true)
    await user.keyboard('/')
    expect(document.activeElement).toBe(document.body)
  })
})
