import { act, fireEvent, render, screen } from '@testing-library/react'
import { Suspense, use, type ReactNode } from 'react'
import { MemoryRouter, useSearchParams } from 'react-router-dom'
import { expect, test } from 'vitest'
import { useAddressSearch } from './use-address-search.ts'

const Toggle = ({ name }: { readonly name: string }) => {
  const [search, setSearch] = useAddressSearch()
  return (
    <input
      type="checkbox"
      aria-label={name}
      checked={search.has(name)}
      onChange={() => {
        const next = new URLSearchParams(search)
        if (search.has(name)) next.delete(name)
        else next.set(name, '1')
        setSearch(next, { replace: true })
      }}
    />
  )
}

const Both = () => {
  const [search, setSearch] = useAddressSearch()
  const add = (name: string) =>
    setSearch((current) => new URLSearchParams([...current, [name, '1']]), { replace: true })
  return (
    <>
      <button onClick={() => add('first')}>First</button>
      <button onClick={() => add('second')}>Second</button>
      <output>{search.toString()}</output>
    </>
  )
}

/** Rendering a changed address takes until `rendered` is fulfilled. */
const Slow = ({ rendered }: { readonly rendered: Promise<void> }) => {
  const [search] = useSearchParams()
  if (search.size > 0) use(rendered)
  return <p>{`address: ${search.toString()}`}</p>
}

const renderSlowly = (page: ReactNode) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  render(
    <MemoryRouter>
      {page}
      <Suspense>
        <Slow rendered={promise} />
      </Suspense>
    </MemoryRouter>,
  )
  return () => act(async () => resolve())
}

/** What suspends within `act` must be awaited. */
const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))

test('shows a change before the router has rendered the address', async () => {
  const finish = renderSlowly(<Toggle name="unread" />)
  await press(screen.getByRole('checkbox'))
  screen.getByText('address:')
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
  await finish()
  screen.getByText('address: unread=1')
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
})

test('starts a second change from the first, though that is not rendered yet', async () => {
  const finish = renderSlowly(<Both />)
  await press(screen.getByRole('button', { name: 'First' }))
  await press(screen.getByRole('button', { name: 'Second' }))
  expect(screen.getByRole('status').textContent).toBe('first=1&second=1')
  await finish()
  screen.getByText('address: first=1&second=1')
})
