import { screen, within } from '@testing-library/react'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { ok, problem } from '../../../testing/fake-portal.ts'
import { deferredAnswer } from '../../../testing/fake-server.ts'
import {
  clock,
  confirmSend,
  heldSends,
  live,
  message,
  open,
  press,
  savedDrafts,
  scheduledSends,
  sendButton,
  server,
  setUpSendPage,
  title,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

const hourMs = 3_600_000
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString()
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const date = () => screen.getByLabelText('Date')
const time = () => screen.getByLabelText('Time')
const dialog = () => within(screen.getByRole('dialog'))
const confirm = async (name: string) => {
  await press(dialog().getByRole('button', { name }))
  await clock.advance(500)
}
const showScheduled = () => press(button(/^Scheduled/))
const list = () => screen.getByRole('group', { name: 'Scheduled' })
const entries = () =>
  within(list())
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)
const requests = () => server.requestsTo('POST /notifications/send')
const sentBodies = () => requests().map(({ body }) => body)
const tell = async (id: NotificationId) => {
  live.emit('scheduled:changed', { notificationId: id })
  await clock.advance(1_500)
}
const writeForLater = async (day: string, at: string) => {
  await writeToTwo()
  await press(button('Send later'))
  await clock.fill(date(), day)
  await clock.fill(time(), at)
}
/** 9 AM in India. */
const nine = '2027-01-01T03:30:00.000Z'

describe('send later', () => {
  it('[C-23] schedules the notification for a time in India, after a confirmation with time, text and count', async () => {
    server.on('POST /notifications/send', scheduledSends.onSchedule)
    await open()
    await writeForLater('2027-01-01', '09:00')
    expect(screen.getByText(/^In India Standard Time \(IST\)\./)).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Send to/ })).toBeNull()
    await press(button('Schedule'))
    expect(dialog().getByText('Send this notification to 2 people on Jan 1, 2027, 9:00 AM IST?')).toBeDefined()
    expect(dialog().getByText('The hall is closed')).toBeDefined()
    await confirm('Schedule')
    expect(sentBodies()).toMatchObject([{ title: 'The hall is closed', sendAt: nine, userIds: [userId(1), userId(3)] }])
    expect(requests()[0]?.headers.get('idempotency-key')).toMatch(/./)
    expect(screen.getByText('Scheduled for Jan 1, 2027, 9:00 AM IST')).toBeDefined()
    expect(title()).toHaveProperty('value', '')
    expect(button('Scheduled (1)').getAttribute('aria-pressed')).toBe('true')
    expect(entries()).toEqual([expect.stringMatching(/^The hall is closed.*2 people.*9:00 AM IST.*by Asha Rao/)])
  })

  it('from the keyboard moves the focus to the send button, as the time disappears', async () => {
    server.on('POST /notifications/send', scheduledSends.onSchedule)
    await open()
    await writeForLater('2027-01-01', '09:00')
    await clock.user.type(time(), '{Enter}')
    await clock.flush()
    await confirm('Schedule')
    expect(screen.queryByLabelText('Time')).toBeNull()
    expect(document.activeElement).toBe(sendButton())
  })

  it('leaves no draft on the server', async () => {
    server.on('POST /notifications/send', scheduledSends.onSchedule)
    await open()
    await writeForLater('2027-01-01', '09:00')
    await clock.advance(12_000)
    expect(savedDrafts.titles()).toEqual([' The hall is closed '])
    await press(button('Schedule'))
    await confirm('Schedule')
    expect(savedDrafts.titles()).toEqual([])
    expect(screen.queryByText('Draft saved')).toBeNull()
    await clock.advance(12_000)
    expect(savedDrafts.all()).toEqual([])
  })

  it('takes it back with Undo, which restores the text', async () => {
    server.on('POST /notifications/send', scheduledSends.onSchedule)
    await open()
    await writeForLater('2027-01-01', '09:00')
    await press(button('Schedule'))
    await confirm('Schedule')
    await press(button('Undo'))
    expect(scheduledSends.titles()).toEqual([])
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('begins with the next morning, and asks for another time if it has passed or is too far away', async () => {
    await open()
    await writeToTwo()
    await press(button('Send later'))
    expect(time()).toHaveProperty('value', '09:00')
    expect(document.activeElement).toBe(date())
    for (const [day, said] of [
      ['2020-01-01', 'Please choose a time at least 1 minute from now'],
      ['2099-01-01', 'Please choose a time within the next 12 months'],
    ] as const) {
      await clock.fill(date(), day)
      await press(button('Schedule'))
      expect(screen.getByText(said)).toBeDefined()
    }
    await clock.user.clear(time())
    await press(button('Schedule'))
    expect(screen.getByText('Please choose a date and a time')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    await press(button('Send now instead'))
    await confirmSend()
    expect(server.requestsTo('POST /notifications/held')).toHaveLength(1)
  })

  it('keeps the form if the server refuses, and repeats a request without an answer under its key', async () => {
    await open()
    await writeForLater('2027-01-01', '09:00')
    const full = 'At most 200 notifications can be scheduledSends. Please send or discard some of them first'
    for (const answer of ['unreachable' as const, problem(409, 'conflict', full)]) {
      server.on('POST /notifications/send', () => answer)
      await press(button('Schedule'))
      await confirm('Schedule')
    }
    expect(screen.getByText(full)).toBeDefined()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    const [first, second] = requests().map(({ headers }) => headers.get('idempotency-key'))
    expect(second).toBe(first)
  })
})

describe('the scheduled notifications', () => {
  it('lists those of all admins with what is left, missed ones marked, and confirmed ones in their eight seconds', async () => {
    scheduledSends.add(aCampaign(40).id, { title: 'Fees', sendAt: inFuture(-2 * hourMs), missed: 'late' })
    scheduledSends.add(aCampaign(41).id, { title: 'Exam', sendAt: inFuture(27 * hourMs) })
    heldSends.add(aCampaign(21).id, 'Confirmed', 8_000)
    await open()
    live.emit('held:changed', { notificationId: aCampaign(21).id, state: 'held' })
    await clock.flush()
    await showScheduled()
    expect(button('Scheduled (3)')).toBeDefined()
    expect(entries()).toEqual([
      expect.stringMatching(/^Confirmedin [78] s/),
      expect.stringMatching(/^FeesMissed.*It was due at .* The portal was not running at that time/),
      expect.stringMatching(/^Examin 1 d 3 h/),
    ])
  })

  it('follows what other admins do, and one that is sent', async () => {
    await open()
    await showScheduled()
    expect(screen.getByText('Nothing scheduled')).toBeDefined()
    const { id } = aCampaign(40)
    scheduledSends.add(id, { title: 'Exam', sendAt: inFuture(hourMs) })
    await tell(id)
    expect(entries()).toHaveLength(1)
    scheduledSends.remove(id)
    live.emit('campaign:progress', { ...aCampaign(40).progress, notificationId: id })
    await clock.advance(1_500)
    expect(screen.getByText('Nothing scheduled')).toBeDefined()
  })

  it('loads with a status, says if it cannot, and tries again', async () => {
    const slow = deferredAnswer()
    server.on('GET /notifications/scheduled', slow.handler)
    await open()
    await showScheduled()
    await clock.advance(1_000)
    expect(screen.getByRole('status', { name: 'Loading scheduled notifications' })).toBeDefined()
    slow.release(problem(503, 'unavailable', 'The portal is being restarted'))
    await clock.flush()
    expect(screen.getByRole('alert').textContent).toMatch(/^The scheduled notifications could not be loaded/)
    server.on('GET /notifications/scheduled', () => ok({ scheduled: [] }))
    await press(button('Try again'))
    expect(screen.getByText('Nothing scheduled')).toBeDefined()
  })

  it('sends one now and discards one, each after a confirmation', async () => {
    for (const [n, name] of [
      [40, 'Exam'],
      [41, 'Fees'],
    ] as const)
      scheduledSends.add(aCampaign(n).id, { title: name, sendAt: inFuture(hourMs), version: 3 })
    await open()
    await showScheduled()
    await press(button('Discard: Exam'))
    expect(dialog().getByText('Discard “Exam”?')).toBeDefined()
    await confirm('Cancel')
    await press(button('Discard: Exam'))
    await confirm('Discard')
    expect(screen.getByText('Discarded. Nobody has got it.')).toBeDefined()
    expect(scheduledSends.titles()).toEqual(['Fees'])
    expect(document.activeElement).toBe(list())
    await press(button('Send now: Fees'))
    expect(dialog().getByText('Send “Fees” now?')).toBeDefined()
    await confirm('Send')
    const [sent] = server.requestsTo(`POST /notifications/scheduled/${aCampaign(41).id}/send`)
    expect(sent?.body).toEqual({ version: 3 })
    expect(screen.getByText('Notification sent successfully to 0 devices')).toBeDefined()
    expect(screen.getByText('Nothing scheduled')).toBeDefined()
  })

  it('opens one in the form, which saves it; of two admins who change it, the second is told', async () => {
    const { id } = aCampaign(40)
    const translation = { lang: 'hi', title: 'परीक्षा', message: 'कमरा 12' }
    const content = { message: 'Room 12', userIds: [userId(1), userId(3)], translation }
    scheduledSends.add(id, { title: 'Exam', sendAt: nine, content })
    await open()
    await showScheduled()
    await press(screen.getByRole('link', { name: 'Edit: Exam' }))
    expect(screen.getByText('You are changing the scheduled notification “Exam”.')).toBeDefined()
    expect(document.activeElement).toBe(title())
    expect(message()).toHaveProperty('value', 'Room 12')
    expect([date(), time()].map((field) => Object(field).value)).toEqual(['2027-01-01', '09:00'])
    await clock.fill(title(), 'Exam moved')
    await clock.fill(time(), '10:30')
    await press(button('Save changes'))
    await confirm('Schedule')
    const saved = { ...content, title: 'Exam moved', sendAt: '2027-01-01T05:00:00.000Z', version: 1 }
    expect(server.requestsTo(`PUT /notifications/scheduled/${id}`).map(({ body }) => body)).toMatchObject([saved])
    expect(screen.getByText('Scheduled for Jan 1, 2027, 10:30 AM IST')).toBeDefined()
    expect(title()).toHaveProperty('value', '')
    expect(screen.queryByText(/^You are changing/)).toBeNull()

    await tell(id)
    await press(screen.getByRole('link', { name: 'Edit: Exam moved' }))
    scheduledSends.add(id, { title: 'By another', sendAt: nine, version: 7 })
    await press(button('Save changes'))
    await confirm('Schedule')
    expect(screen.getByText(/^Another admin has changed this scheduled notification/)).toBeDefined()
    await press(button('Leave it as it is'))
    expect(title()).toHaveProperty('value', '')
    expect(sendButton().textContent).toBe('Send notification')
  })

  it('says if one cannot be opened any more', async () => {
    const { id } = aCampaign(40)
    scheduledSends.add(id, { title: 'Exam', sendAt: inFuture(hourMs) })
    await open()
    await showScheduled()
    scheduledSends.remove(id)
    await press(screen.getByRole('link', { name: 'Edit: Exam' }))
    expect(screen.getByText('Notification not found')).toBeDefined()
    expect(screen.queryByText(/^You are changing/)).toBeNull()
  })
})
