import { act, cleanup, screen, within } from '@testing-library/react'
import type { User } from '@portal/contracts/auth/user'
import type { SentItem } from '@portal/contracts/notifications/notification'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { paginationOf } from '@portal/contracts/shared/page'
import { Link } from 'react-router-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { aPerson, serveAudience, userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { serveHeldSends } from '../../../features/campaigns/testing/fake-held-sends.ts'
import { endSession, startSession } from '../../../lib/session.ts'
import { SocketContext } from '../../../lib/socket.ts'
import { aUser, ok, problem } from '../../../testing/fake-portal.ts'
import { fakeServer, deferredAnswer, type FakeServer, type ServerAnswer } from '../../../testing/fake-server.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { renderPages } from '../../../testing/render-pages.tsx'
import { insertAllStyles } from '../../../testing/styles.tsx'
import { fakeClock } from '../../../testing/fake-clock.ts'
import { limits } from '@portal/contracts/shared/rules'
import { emptyRule } from '../../../features/campaigns/audience/rule.ts'
import { newDraft, noButton, requestFor } from '../../../features/campaigns/draft.ts'
import { keepSendDraft, keptSendDraft, sendDraftKey } from '../../../features/campaigns/kept-draft.ts'
import { draftsOf } from '../../../lib/drafts.ts'
import { testTitle } from '../../../features/campaigns/use-test-send.ts'
import { SendPage } from './send-page.tsx'

const people = [aPerson(1, 'Asha Rao'), aPerson(2, 'Kiran Das'), aPerson(3, 'Ravi Rao')]
const admin: User = aUser({ _id: userId(900), role: 'admin' })

let server: FakeServer
let clock: ReturnType<typeof fakeClock>
let live: ReturnType<typeof fakeSocket>
let heldSends: ReturnType<typeof serveHeldSends>
let sends: SentItem[]

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  startSession({ user: admin, token: 'token-1' })
  sends = [
    aCampaign(2, { live: 6, pending: 2, read: 3 }, { title: 'Exam moved', type: 'Exam' }),
    aCampaign(1, { skipped: 4 }),
  ]
  server = fakeServer()
  serveAudience(server, { people })
  server.on('GET /notifications/recent', ({ query }) => {
    const page = Number(query.get('page'))
    const limit = Number(query.get('limit'))
    const notifications = sends.slice((page - 1) * limit, page * limit)
    return ok({ notifications, pagination: paginationOf({ page, limit }, sends.length) })
  })
  heldSends = serveHeldSends(server)
  live = fakeSocket()
  clock = fakeClock()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  endSession('logged-out')
})

const open = async () => {
  const page = (
    <SocketContext value={live.socket}>
      <SendPage />
      <Link to="/elsewhere">Leave</Link>
    </SocketContext>
  )
  const elsewhere = <Link to="/admin/notifications">Return</Link>
  renderPages(
    {
      '/admin/notifications': page,
      [`/admin/notifications/${aCampaign(3).id}`]: <p>The page of a send</p>,
      '/elsewhere': elsewhere,
    },
    '/admin/notifications',
  )
  await clock.flush()
}

const title = () => screen.getByLabelText('Title')
const message = () => screen.getByLabelText('Message')
const type = () => screen.getByRole('combobox', { name: /^Type/ })
const search = () => screen.getByRole('searchbox', { name: 'Search users' })
const row = (name: string | RegExp) => screen.getByRole('checkbox', { name })
const sendButton = () => screen.getByRole('button', { name: /^Send( to|ing\.| notification)/ })
const press = async (button: HTMLElement) => {
  await clock.user.click(button)
  await clock.flush()
}
const confirmButton = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' })
/** Asks to send and confirms, until the dialog has faded out. */
const confirmSend = async () => {
  await press(sendButton())
  await press(confirmButton())
  await clock.advance(500)
}
const hold = () => within(screen.getByRole('group', { name: 'Sending' }))
const sendNow = () => press(hold().getByRole('button', { name: 'Send now' }))
const send = async () => {
  await confirmSend()
  await sendNow()
}
/** The confirmed requests. */
const sent = () => server.requestsTo('POST /notifications/held')
const tests = () => server.requestsTo('POST /notifications/send')
const testKeyOf = (n: number) => tests()[n]?.headers.get('idempotency-key')
const keyOf = (n: number) => sent()[n]?.headers.get('idempotency-key')

const writeToTwo = async () => {
  await clock.fill(title(), ' The hall is closed ')
  await clock.fill(message(), 'Please come to room 12.')
  await clock.user.click(row(/Asha Rao/))
  await clock.user.click(row(/Ravi Rao/))
}

describe('the send form', () => {
  it('[C-6 C-7 C-8] shows all missing fields at once, and each error until its field is edited', async () => {
    await open()
    await press(sendButton())
    expect(screen.getAllByText(/^Please (enter|select)/).map(({ textContent }) => textContent)).toEqual([
      'Please enter a notification title',
      'Please enter a notification message',
      'Please select at least one user',
    ])
    expect(document.activeElement).toBe(title())
    await clock.fill(title(), 'The hall is closed')
    expect(screen.queryByText('Please enter a notification title')).toBeNull()
    await clock.fill(message(), '   ')
    await press(sendButton())
    expect(screen.getByText('Please enter a notification message')).toBeDefined()
    await clock.fill(message(), 'Please come to room 12.')
    await press(sendButton())
    expect(document.activeElement).toBe(search())
    await clock.user.click(row(/Asha Rao/))
    expect(screen.queryByText('Please select at least one user')).toBeNull()
    expect(sent()).toEqual([])
  })

  it('[C-1 C-2 C-4 C-5 C-9 C-13] sends the text to the chosen users, shows the number of devices, resets, and returns to page 1 of the history', async () => {
    const held = deferredAnswer()
    server.on('POST /notifications/held', held.handler)
    sends = Array.from({ length: 12 }, (_, n) => aCampaign(12 - n))
    await open()
    await press(screen.getByRole('button', { name: 'Page 2' }))
    expect(screen.getByText('Showing 11 to 12 of 12 notifications')).toBeDefined()
    await writeToTwo()
    await clock.user.click(type())
    await clock.user.click(screen.getByRole('option', { name: 'Exam' }))
    await clock.advance(500)
    await clock.fill(search(), 'rao')
    expect(screen.getByText('Selected: 2 people')).toBeDefined()
    await press(screen.getByRole('button', { name: 'Send to 2 users' }))
    await press(confirmButton())
    await clock.advance(500)
    await press(screen.getByRole('button', { name: 'Sending...' }))
    expect(sent().map(({ body }) => body)).toEqual([
      {
        title: 'The hall is closed',
        message: 'Please come to room 12.',
        type: 'Exam',
        userIds: [userId(1), userId(3)],
      },
    ])
    expect(keyOf(0)).toMatch(/^[0-9a-f]{32}$/)

    sends = [aCampaign(13, { live: 2 }, { title: 'The hall is closed' }), ...sends]
    const [request] = sent()
    if (request) held.release(heldSends.onHold(request))
    await clock.flush()
    await sendNow()
    expect(screen.getByText('Notification sent successfully to 2 devices')).toBeDefined()
    expect(screen.getByText('2 people have it in their inbox; 2 saw it on screen.')).toBeDefined()
    expect(title()).toHaveProperty('value', '')
    expect(message()).toHaveProperty('value', '')
    expect(type().textContent).toBe('System Maintenance')
    expect(search()).toHaveProperty('value', '')
    expect(screen.getByText(/^No one is selected yet/)).toBeDefined()
    expect(screen.getByRole('heading', { name: 'The hall is closed' })).toBeDefined()
    expect(screen.getByText('Showing 1 to 10 of 13 notifications')).toBeDefined()
  })

  it('[C-12] keeps the draft if the send fails, and shows an error about a field at that field', async () => {
    await open()
    await writeToTwo()
    const failures: readonly (readonly [ServerAnswer, string])[] = [
      [problem(400, 'invalid', 'Unknown recipients'), 'Unknown recipients'],
      [problem(500, 'internal', ''), 'Failed to send notification'],
      ['unreachable', networkErrorMessage],
    ]
    for (const [answer, words] of failures) {
      server.on('POST /notifications/held', () => answer)
      await confirmSend()
      expect(screen.getByText(words)).toBeDefined()
      expect(title()).toHaveProperty('value', ' The hall is closed ')
      expect(message()).toHaveProperty('value', 'Please come to room 12.')
      expect(row(/Ravi Rao/)).toHaveProperty('checked', true)
      expect(sendButton().textContent).toBe('Send to 2 users')
    }

    const rejection = problem(400, 'invalid', 'This title is not accepted')
    const errors = { title: 'This title is not accepted', userIds: 'A user was removed' }
    server.on('POST /notifications/held', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
    await confirmSend()
    // At the field only.
    expect(screen.getAllByText('This title is not accepted')).toHaveLength(1)
    expect(screen.getByText('A user was removed')).toBeDefined()
    expect(document.activeElement).toBe(title())
  })

  it('keeps draft and idempotency key for a retry, also after a visit to another page, and takes a new key for a changed text', async () => {
    const unanswered = /If you send it again unchanged, it is not delivered twice/
    server.on('POST /notifications/held', () => 'unreachable')
    await open()
    await writeToTwo()
    await confirmSend()
    expect(screen.getByText(unanswered)).toBeDefined()
    await confirmSend()
    await press(screen.getByRole('link', { name: 'Leave' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(screen.getByText(unanswered)).toBeDefined()
    await confirmSend()
    await clock.user.type(message(), ' Thank you.')
    server.on('POST /notifications/held', heldSends.onHold)
    const message0 = 'Notification sent successfully to 0 devices'
    heldSends.answerWith((id) => ok({ notificationId: id, successCount: 0, targeted: 2, message: message0 }))
    await send()
    expect(screen.getByText('Notification sent successfully to 0 devices')).toBeDefined()
    expect(screen.getByText('2 people have it in their inbox.')).toBeDefined()
    expect(screen.queryByText(/sending it again/)).toBeNull()
    await writeToTwo()
    await send()
    expect([keyOf(1), keyOf(2)]).toEqual([keyOf(0), keyOf(0)])
    expect(new Set([keyOf(0), keyOf(3), keyOf(4)]).size).toBe(3)
  })

  describe('[C-18] with a button', () => {
    const add = () => press(screen.getByRole('button', { name: 'Add a button' }))
    const label = () => screen.getByLabelText('Button label')
    const address = () => screen.getByLabelText('Address')
    const button = { label: 'Choose your center', url: 'https://exam.example/centers' }
    const writeButton = async () => {
      await add()
      await clock.fill(label(), ` ${button.label} `)
      await clock.fill(address(), ` ${button.url} `)
    }

    it('sends it, also in a test, shows it in the confirmation, and starts without one again', async () => {
      await open()
      await writeToTwo()
      await add()
      expect(document.activeElement).toBe(label())
      await clock.fill(label(), ` ${button.label} `)
      await clock.fill(address(), ` ${button.url} `)
      await press(screen.getByRole('button', { name: 'Send me a test' }))
      expect(tests()[0]?.body).toMatchObject({ title: 'Test: The hall is closed', button })
      await press(sendButton())
      const preview = within(within(screen.getByRole('dialog')).getByRole('figure', { name: 'Preview' }))
      expect(preview.getByText(button.label)).toBeDefined()
      expect(preview.getByText('exam.example')).toBeDefined()
      await press(confirmButton())
      await clock.advance(500)
      await sendNow()
      expect(sent()[0]?.body).toMatchObject({ title: 'The hall is closed', button })
      expect(screen.queryByLabelText('Button label')).toBeNull()
      await writeToTwo()
      await send()
      expect(sent()[1]?.body).not.toHaveProperty('button')
    })

    it('needs both parts, or none, is checked with the other fields, and can be removed with its errors', async () => {
      await open()
      await add()
      await press(sendButton())
      expect(screen.queryByText('Please enter a button label')).toBeNull()
      await clock.fill(label(), 'Open')
      await press(sendButton())
      expect(screen.getByText('Please enter a notification title')).toBeDefined()
      expect(screen.getByText('Please enter an address')).toBeDefined()
      expect(document.activeElement).toBe(title())
      await clock.user.clear(label())
      await writeToTwo()
      await clock.fill(address(), 'http://exam.example')
      await press(sendButton())
      expect(screen.getByText('Please enter a button label')).toBeDefined()
      expect(screen.getByText('Enter an address that begins with https://')).toBeDefined()
      expect(document.activeElement).toBe(label())
      await clock.fill(label(), 'Open')
      expect(screen.queryByText('Please enter a button label')).toBeNull()
      await press(sendButton())
      expect(document.activeElement).toBe(address())
      expect(screen.queryByRole('dialog')).toBeNull()

      await press(screen.getByRole('button', { name: 'Remove the button' }))
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a button' }))
      await add()
      expect(label()).toHaveProperty('value', '')
      expect(screen.queryByText('Enter an address that begins with https://')).toBeNull()
      await confirmSend()
      expect(sent()[0]?.body).not.toHaveProperty('button')
    })

    it("is kept, alone or with the draft, over a visit to another page, changes the key, and shows the server's message about a part", async () => {
      server.on('POST /notifications/held', () => 'unreachable')
      await open()
      await writeButton()
      await press(screen.getByRole('link', { name: 'Leave' }))
      await press(screen.getByRole('link', { name: 'Return' }))
      expect(address()).toHaveProperty('value', ` ${button.url} `)
      expect(document.activeElement).not.toBe(label())
      await writeToTwo()
      await confirmSend()
      await press(screen.getByRole('link', { name: 'Leave' }))
      await press(screen.getByRole('link', { name: 'Return' }))
      expect(label()).toHaveProperty('value', ` ${button.label} `)
      expect(address()).toHaveProperty('value', ` ${button.url} `)
      await confirmSend()
      await clock.fill(label(), 'Open')
      await confirmSend()
      expect(keyOf(1)).toBe(keyOf(0))
      expect(keyOf(2)).not.toBe(keyOf(0))

      const rejection = problem(400, 'invalid', 'This address is not accepted')
      const errors = { 'button.url': 'This address is not accepted' }
      server.on('POST /notifications/held', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
      await confirmSend()
      expect(screen.getAllByText('This address is not accepted')).toHaveLength(1)
      expect(document.activeElement).toBe(address())
    })
  })

  it('[C-4] is empty on return if the send was sent meanwhile, and kept, with its hold, if it is still held', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    await press(screen.getByRole('link', { name: 'Leave' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(hold().getByRole('button', { name: 'Undo' })).toBeDefined()
    cleanup()
    heldSends.send(aCampaign(3).id)
    const lists = { actions: [], remindedBy: [], firstHour: [], byDay: [] }
    const details = { campaign: aCampaign(3), resendable: 0, resendsLeft: 4, ...lists }
    server.on(`GET /notifications/${aCampaign(3).id}/campaign`, () => ok(details))
    await open()
    expect(title()).toHaveProperty('value', '')
    expect(message()).toHaveProperty('value', '')
    expect(screen.getByText('No one is selected yet. Choose a group, or tick people below.')).toBeDefined()
  })

  it('is not submitted by Enter in the list of recipients', async () => {
    await open()
    await writeToTwo()
    for (const field of [search(), row('Select all 3 shown'), row(/Asha Rao/)]) {
      field.focus()
      await clock.user.keyboard('{Enter}')
      await clock.flush()
    }
    expect(sent()).toEqual([])
    screen.getByRole('button', { name: 'Clear' }).focus()
    await clock.user.keyboard('{Enter}')
    expect(screen.getByText('No one is selected yet. Choose a group, or tick people below.')).toBeDefined()
  })

  it('asks, by button or Control+Enter, for a confirmation that shows the recipients, counted again, and the notification', async () => {
    await open()
    await writeToTwo()
    const counts = () => server.requestsTo('POST /notifications/audience').length
    const before = counts()
    await press(sendButton())
    expect(counts()).toBe(before + 1)
    const dialog = within(screen.getByRole('dialog', { name: 'Send this notification to 2 people?' }))
    expect(dialog.getByText('Selected: 2 people')).toBeDefined()
    const preview = within(dialog.getByRole('figure', { name: 'Preview' }))
    for (const text of ['The hall is closed', 'Please come to room 12.', 'System Maintenance'])
      expect(preview.getByText(text)).toBeDefined()
    expect(
      dialog.getByText(/^You have 8 seconds to undo\. Then it appears in their inboxes .* or recall it\.$/),
    ).toBeDefined()
    await press(dialog.getByRole('button', { name: 'Cancel' }))
    await clock.advance(500)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(sendButton())
    for (const key of ['Control', 'Meta']) {
      message().focus()
      await clock.user.keyboard(`{${key}>}{Enter}{/${key}}`)
      await clock.flush()
      expect(screen.getByRole('dialog', { name: 'Send this notification to 2 people?' })).toBeDefined()
      expect(message()).toHaveProperty('value', 'Please come to room 12.')
      await press(screen.getByRole('button', { name: 'Cancel' }))
      await clock.advance(500)
    }
    expect(sent()).toEqual([])
    await confirmSend()
    expect(sent()).toHaveLength(1)
  })

  it('cannot be confirmed while the recipients are not counted, or when no one matches any more', async () => {
    await open()
    await writeToTwo()
    server.on('POST /notifications/audience', () => problem(503, 'unavailable', 'Please try again'))
    await press(sendButton())
    const dialog = within(screen.getByRole('dialog', { name: 'Send this notification?' }))
    expect(dialog.getByText('The recipients could not be counted. Please try again')).toBeDefined()
    expect(dialog.queryByRole('button', { name: 'Send' })).toBeNull()
    server.on('POST /notifications/audience', () =>
      ok({ count: 0, unknown: [], duplicates: 0, sentence: 'Selected: 0 people' }),
    )
    await press(dialog.getByRole('button', { name: 'Count again' }))
    expect(confirmButton()).toHaveProperty('disabled', true)
    expect(dialog.getByText(/^No one matches any more/)).toBeDefined()
  })

  it("does not show another admin's draft", async () => {
    await open()
    await writeToTwo()
    await press(screen.getByRole('link', { name: 'Leave' }))
    startSession({ user: { ...admin, _id: userId(901) }, token: 'token-2' })
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(title()).toHaveProperty('value', '')
    expect(screen.getByText('No one is selected yet. Choose a group, or tick people below.')).toBeDefined()
  })
})

describe('a confirmed send', () => {
  const timer = () => screen.getByRole('timer').textContent

  const sendCalls = () => server.requestsTo(`POST /notifications/held/${aCampaign(3).id}/send`)
  const devices = 'Notification sent successfully to 2 devices'

  it('[C-15] reaches the server at once, which holds it for eight seconds, counted down; they allow no test', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    expect(sent()).toHaveLength(1)
    expect(timer()).toBe('Sending to 2 people in 8 s')
    expect(document.activeElement).toBe(hold().getByRole('button', { name: 'Undo' }))
    expect(hold().getByRole('button', { name: 'Send now' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Send me a test' })).toBeNull()
    await clock.advance(3_000)
    expect(timer()).toBe('Sending to 2 people in 5 s')
    await clock.advance(4_499)
    expect(sendCalls()).toEqual([])
    await clock.advance(1)
    expect(sendCalls()).toHaveLength(1)
    expect(screen.getByText(devices)).toBeDefined()
    expect(screen.queryByRole('group', { name: 'Sending' })).toBeNull()
    expect(document.activeElement).toBe(sendButton())
    expect(title()).toHaveProperty('value', '')
    await clock.advance(20_000)
    expect(sendCalls()).toHaveLength(1)
    expect(sent()).toHaveLength(1)
  })

  it('[C-15] can be undone by the button and by Alt+Z, which keeps the draft, and is then sent as another one', async () => {
    await open()
    await writeToTwo()
    for (const undo of [
      () => press(hold().getByRole('button', { name: 'Undo' })),
      () => clock.user.keyboard('{Alt>}z{/Alt}'),
    ]) {
      await confirmSend()
      await undo()
      await clock.advance(20_000)
      expect(title()).toHaveProperty('value', ' The hall is closed ')
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Send to 2 users' }))
    }
    await send()
    expect(screen.getByText(devices)).toBeDefined()
    expect(new Set([keyOf(0), keyOf(1), keyOf(2)]).size).toBe(3)
  })

  it('is shown in every tab of the admin with its title, which can take it back, and learns how it ended', async () => {
    await open()
    const [first, second] = [aCampaign(21).id, aCampaign(22).id]
    const tell = async (notificationId: typeof first, state: 'held' | 'sent' | 'taken-back') => {
      live.emit('held:changed', { notificationId, state })
      await clock.flush()
    }
    heldSends.add(first, 'Exam moved', 5_000)
    await tell(first, 'held')
    expect(timer()).toBe('Sending “Exam moved” to 2 people in 5 s')
    expect(document.activeElement).toBe(document.body)
    heldSends.takeBack(first)
    await tell(first, 'taken-back')
    expect(screen.queryByRole('timer')).toBeNull()

    heldSends.add(second, 'Fees', 5_000)
    await tell(second, 'held')
    heldSends.send(second)
    await tell(second, 'sent')
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByText(devices)).toBeDefined()
    // The form was not about them.
    expect(sendButton()).toBeDefined()
  })

  it('is found by a tab that connects after it was confirmed elsewhere', async () => {
    await open()
    heldSends.add(aCampaign(21).id, 'Exam moved', 600_000)
    live.reconnect()
    await clock.flush()
    expect(timer()).toMatch(/^Sending “Exam moved” to 2 people/)
  })

  it('is not shown to the next admin in the same tab', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    await press(screen.getByRole('link', { name: 'Leave' }))
    server.on('GET /notifications/held', () => ok({ held: [] }))
    act(() => startSession({ user: { ...admin, _id: userId(901) }, token: 'token-2' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('is still there after a reload, with its draft, as nothing of it was in the page', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    cleanup()
    await open()
    expect(timer()).toMatch(/^Sending to 2 people in [78] s$/)
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    await press(hold().getByRole('button', { name: 'Undo' }))
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('says so when it was too late to undo it, when it came too late, and when the server cannot be reached', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    heldSends.send(aCampaign(3).id)
    await press(hold().getByRole('button', { name: 'Undo' }))
    expect(screen.getByText(devices)).toBeDefined()
    expect(screen.queryByRole('timer')).toBeNull()

    heldSends.answerWith(() => 'unreachable')
    await writeToTwo()
    await confirmSend()
    await clock.advance(8_000)
    expect(timer()).toBe('No connection. The portal sends it to 2 people without this page.')
    heldSends.answerWith((id) => ok({ notificationId: id, successCount: 0, targeted: 2, message: 'Sent meanwhile' }))
    heldSends.send(aCampaign(4).id)
    live.disconnect()
    live.reconnect()
    await clock.flush()
    expect(screen.getByText('Sent meanwhile')).toBeDefined()

    heldSends.add(aCampaign(30).id, 'Of yesterday', -limits.sendLatenessMs - 1_000)
    live.emit('held:changed', { notificationId: aCampaign(30).id, state: 'held' })
    await clock.flush()
    await clock.advance(20_000)
    expect(timer()).toBe('“Of yesterday” to 2 people was not sent in time.')
    expect(server.requestsTo(`POST /notifications/held/${aCampaign(30).id}/send`)).toEqual([])
  })
})

describe('a draft', () => {
  it('survives a reload and the end of the session, for its author only, until it is cleared', async () => {
    await open()
    await writeToTwo()
    await clock.advance(500)
    cleanup()
    endSession('ended')
    startSession({ user: { ...admin, _id: userId(901) }, token: 'token-2' })
    await open()
    expect(title()).toHaveProperty('value', '')
    cleanup()
    endSession('ended')
    startSession({ user: admin, token: 'token-3' })
    await open()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(message()).toHaveProperty('value', 'Please come to room 12.')
    expect(sendButton().textContent).toBe('Send to 2 users')
    await clock.user.clear(title())
    await clock.user.clear(message())
    await press(screen.getByRole('button', { name: 'Clear' }))
    cleanup()
    expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:'))).toEqual([])
  })

  it('in one tab is left alone by another one that only shows an empty form or the same text', async () => {
    const key = sendDraftKey(admin._id)
    const elsewhere = { ...newDraft, text: { ...newDraft.text, title: 'Typed elsewhere' } }
    await open()
    keepSendDraft(admin._id, elsewhere)
    cleanup()
    expect(localStorage.getItem(key)).toContain('Typed elsewhere')
    await open()
    const oldValue = localStorage.getItem(key)
    keepSendDraft(admin._id, { ...elsewhere, text: { ...elsewhere.text, title: 'Another one' } })
    const newValue = localStorage.getItem(key)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue })))
    expect(title()).toHaveProperty('value', 'Typed elsewhere')
    cleanup()
    expect(localStorage.getItem(key)).toBe(newValue)
  })

  it('of one tab is not replaced by that of another, nor discarded when the other is sent', async () => {
    const titled = (text: string) => ({ ...newDraft, text: { ...newDraft.text, title: text } })
    const keptTitles = () => draftsOf(admin._id, 'send').map((name) => keptSendDraft(admin._id, name)?.text.title)
    // A tab that was opened before another one kept its draft.
    await open()
    keepSendDraft(admin._id, titled('Of the other tab'))
    await clock.fill(title(), 'Of this tab')
    await clock.advance(500)
    expect(keptTitles().toSorted()).toEqual(['Of the other tab', 'Of this tab'])
    cleanup()
    keepSendDraft(admin._id, titled('Of the other tab, later'))
    await open()
    expect(title()).toHaveProperty('value', 'Of this tab')
    keepSendDraft(admin._id, newDraft)
    expect(keptTitles()).toEqual(['Of this tab'])
    cleanup()
    await open()
    expect(title()).toHaveProperty('value', 'Of this tab')
  })

  it('repeats its request if the same list is chosen again after a lost answer', async () => {
    const contacts = ['asha.rao@example.com', 'ravi.rao@example.com']
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts } }
    const text = { title: 'Fees', message: 'Due on Monday', type: 'Exam' as const }
    const { request } = requestFor(text, { rule, lastRequest: undefined }, 2)
    keepSendDraft(admin._id, { text: { ...text, button: noButton }, rule, lastRequest: request })
    endSession('logged-out')
    startSession({ user: admin, token: 'token-3' })
    const kept = keptSendDraft(admin._id)
    expect(kept?.rule).toEqual(emptyRule)
    expect(requestFor(text, { rule, lastRequest: kept?.lastRequest }, 2).request.key).toBe(request.key)
    const others = { ...rule, contactList: { source: 'the pasted list', contacts: ['eve@example.com'] } }
    expect(requestFor(text, { rule: others, lastRequest: kept?.lastRequest }, 1).request.key).not.toBe(request.key)
  })

  it('that was taken back elsewhere is sent when it is confirmed again', async () => {
    await open()
    await writeToTwo()
    await confirmSend()
    cleanup()
    heldSends.takeBack(aCampaign(3).id)
    await open()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    await confirmSend()
    expect(screen.queryByText(/was taken back/)).toBeNull()
    expect(screen.getByRole('timer').textContent).toMatch(/^Sending to 2 people in [78] s$/)
    expect(sent()).toHaveLength(3)
    expect(keyOf(2)).not.toBe(keyOf(1))
  })

  it('of a form that disappears at the log-out leaves no addresses behind', async () => {
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts: ['asha.rao@example.com'] } }
    keepSendDraft(admin._id, { ...newDraft, text: { ...newDraft.text, title: 'Fees' }, rule })
    await open()
    await clock.fill(title(), 'Fees are due')
    act(() => endSession('logged-out'))
    cleanup()
    expect(JSON.stringify(localStorage)).not.toContain('asha.rao')
  })

  it('loses its list of addresses at a log-out, and leaves the form when another tab has sent it', async () => {
    const rule = { ...emptyRule, contactList: { source: 'the pasted list', contacts: ['asha.rao@example.com'] } }
    keepSendDraft(admin._id, { ...newDraft, text: { ...newDraft.text, title: 'Fees' }, rule })
    await open()
    expect(screen.getByText(/the pasted list/)).toBeDefined()
    cleanup()
    endSession('logged-out')
    expect(JSON.stringify(localStorage)).not.toContain('asha.rao')
    startSession({ user: admin, token: 'token-3' })
    await open()
    expect(title()).toHaveProperty('value', 'Fees')
    await clock.advance(500)
    const key = sendDraftKey(admin._id)
    const oldValue = localStorage.getItem(key)
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null })))
    expect(title()).toHaveProperty('value', '')
  })
})

describe('the texts of the send form', () => {
  it('[N-30] show from four fifths on how much of them a push shows; the six types begin with System Maintenance', async () => {
    await open()
    await clock.fill(title(), 'x'.repeat(39))
    expect(screen.queryByText(/that a push shows/)).toBeNull()
    await clock.fill(title(), 'x'.repeat(40))
    expect(screen.getByText('40 characters. A push shows about 50.')).toBeDefined()
    await clock.fill(message(), 'x'.repeat(200))
    expect(screen.getByText('200 characters. A push shows about 150.')).toBeDefined()

    expect(type().textContent).toBe('System Maintenance')
    await clock.user.click(type())
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'System Maintenance',
      'Fee Payment Reminder',
      'New Course Announcement',
      'Assignment',
      'Exam',
      'General',
    ])
  })
})

describe('a test', () => {
  const testButton = () => screen.getByRole('button', { name: 'Send me a test' })
  const answerTest = (successCount: number) =>
    server.on('POST /notifications/send', () => ok({ notificationId: aCampaign(3).id, successCount, targeted: 1 }))

  it('[C-17] goes to the admin alone, marked in its title, without a question, and keeps the draft', async () => {
    const held = deferredAnswer()
    server.on('POST /notifications/send', held.handler)
    await open()
    await writeToTwo()
    await press(testButton())
    const busy = screen.getByRole('button', { name: 'Sending the test...' })
    expect(busy.getAttribute('aria-disabled')).toBe('true')
    await press(busy)
    expect(tests().map(({ body }) => body)).toEqual([
      {
        userIds: [admin._id],
        title: 'Test: The hall is closed',
        message: 'Please come to room 12.',
        type: 'System Maintenance',
      },
    ])
    held.release(ok({ notificationId: aCampaign(3).id, successCount: 1, targeted: 1 }))
    await clock.flush()
    expect(screen.getByText('Test sent to you')).toBeDefined()
    expect(screen.getByText('Your open tab showed it.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('needs a title and a message, but no recipients, says which tabs showed it, and leads to what became of it', async () => {
    answerTest(3)
    await open()
    await press(testButton())
    expect(screen.getByText('Please enter a notification title')).toBeDefined()
    expect(screen.getByText('Please enter a notification message')).toBeDefined()
    expect(screen.queryByText('Please select at least one user')).toBeNull()
    expect(tests()).toEqual([])
    await clock.fill(title(), 'The hall is closed')
    await clock.fill(message(), 'Please come to room 12.')
    await press(testButton())
    expect(screen.getByText('3 open tabs of yours showed it.')).toBeDefined()

    answerTest(0)
    await press(testButton())
    expect(
      screen.getByText('No open tab of yours has shown it yet. If you have registered devices, they get a push.'),
    ).toBeDefined()
    await press(screen.getByRole('button', { name: 'View' }))
    expect(screen.getByText('The page of a send')).toBeDefined()
  })

  it('says why it was not sent, and is sent again on request, but not twice after a lost answer', async () => {
    await open()
    await writeToTwo()
    const refusal = { ...Object(problem(400, 'invalid', 'No').body), errors: { title: 'Not this title' } }
    for (const [answer, words] of [
      [problem(503, 'unavailable', 'Please try again shortly'), 'Please try again shortly'],
      [{ status: 400, body: refusal }, 'Not this title'],
    ] as const) {
      server.on('POST /notifications/send', () => answer)
      await press(testButton())
      expect(screen.getByText(words)).toBeDefined()
      expect(screen.queryByText('Test sent to you')).toBeNull()
    }
    answerTest(1)
    await press(testButton())
    await press(testButton())
    server.on('POST /notifications/send', () => 'unreachable')
    await press(testButton())
    answerTest(1)
    await press(testButton())
    expect(new Set([testKeyOf(2), testKeyOf(3), testKeyOf(4)]).size).toBe(3)
    expect(testKeyOf(5)).toBe(testKeyOf(4))
  })

  it('has a title within the limit, without half of a character', () => {
    expect(testTitle('Exam')).toBe('Test: Exam')
    expect(testTitle('x'.repeat(limits.titleChars))).toBe(`Test: ${'x'.repeat(limits.titleChars - 6)}`)
    expect(testTitle(`${'x'.repeat(limits.titleChars - 7)}📚`)).toBe(`Test: ${'x'.repeat(limits.titleChars - 7)}`)
  })
})

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

    sends = [aCampaign(5, { pending: 3 }, { title: 'From the other desk' }), ...sends]
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
    sends = [aCampaign(2, { live: 8 }, { title: 'Exam moved' })]
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
