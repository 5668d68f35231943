import { act, screen, within } from '@testing-library/react'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { paginationOf } from '@portal/contracts/shared/page'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { ok } from '../../../testing/fake-portal.ts'
import { insertAllStyles } from '../../../testing/styles.tsx'
import { clock, live, open, press, replaceSends, row, sends, server, setUpSendPage } from './testing/send-page.tsx'

setUpSendPage()

describe('the history of campaigns', () => {
  const entry = (name: string) => {
    const item = screen.getByRole('heading', { name }).closest('li')
    if (!item) throw new Error(`No entry ${name}`)
    return within(item)
  }
  const countsOf = (name: string) => entry(name).getByRole('img').getAttribute('aria-label')

  it('[N-28 C-3] shows each campaign with its text, type and delivery states, and follows reported deliveries', async () => {
    await open()
    expect(server.requestsTo('GET /notifications/recent')[0]?.query.toString()).toBe('page=1&limit=10&source=admins')
    const exam = entry('Exam moved')
    expect(exam.getByText('The text of notice 2')).toBeDefined()
    expect(exam.getByText('Exam')).toBeDefined()
    expect(exam.getByText(/read$/).parentElement?.textContent).toBe('3 of 8 read')
    expect(countsOf('Exam moved')).toBe('8 recipients: 6 live, 2 pending, 3 read')
    expect(exam.getByText('6 live')).toBeDefined()
    expect(exam.queryByText(/in inbox/)).toBeNull()
    expect(entry('Notice 1').getByText('4 in inbox')).toBeDefined()
    expect(screen.getByText('Showing 1 to 2 of 2 notifications')).toBeDefined()
    expect(screen.getByText('What the states mean')).toBeDefined()

    const [{ progress }] = sends as [SentItem]
    live.emit('campaign:progress', { ...progress, live: 7, pushed: 1, pending: 0, read: 5 })
    live.emit('campaign:progress', { ...progress, live: 7, pending: 1 })
    await clock.advance(20)
    expect(countsOf('Exam moved')).toBe('8 recipients: 7 live, 1 pushed, 5 read')
    expect(entry('Exam moved').getByText(/read$/).parentElement?.textContent).toBe('5 of 8 read')
    expect(server.requestsTo('GET /notifications/recent')).toHaveLength(1)

    replaceSends([aCampaign(5, { pending: 3 }, { title: 'From the other desk' }), ...sends])
    live.emit('campaign:progress', { ...aCampaign(5, { pending: 2, live: 1 }).progress })
    await clock.advance(20)
    await clock.advance(300)
    await clock.flush()
    expect(countsOf('From the other desk')).toBe('3 recipients: 1 live, 2 pending, 0 read')
    expect(server.requestsTo('GET /notifications/recent')).toHaveLength(2)
  })

  it("[N-10] shows Notification, 'Invalid date' and General for a missing title, time and type", async () => {
    const broken = { ...aCampaign(2, {}, { title: '' }), deliveredAt: 'yesterday', notificationType: null }
    server.on('GET /notifications/recent', () =>
      ok({ notifications: [broken, sends[1]], pagination: paginationOf({ page: 1, limit: 10 }, 2) }),
    )
    await open()
    expect(entry('Notification').getByText('The text of notice 2')).toBeDefined()
    expect(entry('Notification').getAllByText('Invalid date')).toHaveLength(2)
    expect(entry('Notification').getByText('General')).toBeDefined()
    expect(entry('Notice 1')).toBeDefined()
  })

  it('[C-14] limits the history to 500 px and the recipients to 15 rem', async () => {
    insertAllStyles()
    await open()
    const heightOf = (element: Element | null | undefined) => element && getComputedStyle(element).maxHeight
    expect(heightOf(screen.getByRole('group', { name: 'Sent' }))).toBe('500px')
    expect(heightOf(row(/Asha Rao/).closest('ul')?.parentElement)).toMatch(/^(15rem|240px)$/)
  })

  it('says when live updates have stopped, and catches up by itself', async () => {
    await open()
    live.disconnect()
    await clock.advance(1999)
    expect(screen.queryByText(/Live updates stopped/)).toBeNull()
    await clock.advance(1)
    expect(screen.getByText(/^Live updates stopped at Nov 21, 2026/)).toBeDefined()
    replaceSends([aCampaign(2, { live: 8 }, { title: 'Exam moved' })])
    live.reconnect()
    await clock.flush()
    expect(screen.queryByText(/Live updates stopped/)).toBeNull()
    expect(countsOf('Exam moved')).toBe('8 recipients: 8 live, 0 read')
  })

  it('[C-10] shows an error with a retry if it cannot be loaded, and keeps a displayed page if the next one fails', async () => {
    server.on('GET /notifications/recent', () => 'unreachable')
    await open()
    expect(screen.getAllByText('Failed to load notifications')).toHaveLength(1)
    const notifications = Array.from({ length: 10 }, (_, n) => aCampaign(12 - n))
    const pagination = paginationOf({ page: 1, limit: 10 }, 12)
    server.on('GET /notifications/recent', () => ok({ notifications, pagination }))
    await press(screen.getByRole('button', { name: 'Try again' }))
    expect(entry('Notice 12')).toBeDefined()
    expect(screen.queryByText('Failed to load notifications')).toBeNull()
    server.on('GET /notifications/recent', () => 'unreachable')
    await press(screen.getByRole('button', { name: 'Page 2' }))
    expect(screen.getByText('Failed to load notifications')).toBeDefined()
    expect(screen.getByText('Showing 1 to 10 of 12 notifications')).toBeDefined()
    expect(entry('Notice 12')).toBeDefined()
  })

  it('reloads when the network is back, and shows a text if it is empty', async () => {
    server.on('GET /notifications/recent', () => 'unreachable')
    await open()
    server.on('GET /notifications/recent', () =>
      ok({ notifications: [], pagination: paginationOf({ page: 1, limit: 10 }, 0) }),
    )
    act(() => void window.dispatchEvent(new Event('online')))
    await clock.flush()
    expect(screen.getByText('Nothing sent yet')).toBeDefined()
  })
})
