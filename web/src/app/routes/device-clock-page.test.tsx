import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aProgram, catalogAnswers, fakeCatalog } from '../../testing/fake-catalog.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let app: OpenApp

/** Opens a page on a device whose clock differs from the server's, with two notifications by the server's time. */
const open = async (path: string, serverAheadMs: number) => {
  const atServer = (agoMs: number) => new Date(Date.now() + serverAheadMs - agoMs).toISOString()
  app = await openApp({
    path,
    user: aUser(),
    serverAheadMs,
    setUpInbox: (inbox) => {
      inbox.arrive({ title: 'Older', at: atServer(dayMs + minuteMs) })
      inbox.arrive({ title: 'Newer', at: atServer(3.5 * minuteMs) })
    },
    answers: catalogAnswers(fakeCatalog([aProgram(1)])),
  })
}
const row = async (title: string) => within(await screen.findByRole('link', { name: new RegExp(title) }))

// The timers of the page and of its connection stay real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 21, 12) }))
afterEach(async () => {
  await app.close()
  vi.useRealTimers()
})

describe.each([
  ['two days behind', 2 * dayMs],
  ['two days ahead', -2 * dayMs],
])('a device whose clock is %s', (_, serverAheadMs) => {
  it('[N-35] shows the age and the day of a notification by the time of the server', async () => {
    await open('/notification', serverAheadMs)
    const newer = await row('Newer')
    expect(await newer.findByText('3 min')).toBeDefined()
    expect(await (await row('Older')).findByText('1 d')).toBeDefined()
    expect((await screen.findAllByRole('heading', { level: 2 })).map(({ textContent }) => textContent)).toEqual([
      'Today',
      'Yesterday',
    ])
  })

  it('[N-35] greets with the day of the server', async () => {
    await open('/home', serverAheadMs)
    expect(await (await row('Newer')).findByText('3 min')).toBeDefined()
    const today = new Date(Date.now() + serverAheadMs)
    const day = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' }).format(today)
    expect(await screen.findByText(day)).toBeDefined()
  })
})
