import { cleanup, screen, within } from '@testing-library/react'
import { networkErrorMessage } from '@portal/contracts/shared/problem'
import { describe, expect, it } from 'vitest'
import { aCampaign } from '../../../features/campaigns/testing/campaigns.ts'
import { aPerson, programId, userId } from '../../../features/campaigns/testing/fake-audience.ts'
import { startSession } from '../../../lib/session.ts'
import { ok, problem } from '../../../testing/fake-portal.ts'
import { deferredAnswer, type ServerAnswer } from '../../../testing/fake-server.ts'
import {
  admin,
  clock,
  confirmButton,
  confirmSend,
  heldSends,
  hold,
  keyOf,
  message,
  open,
  press,
  replaceSends,
  row,
  search,
  send,
  sendButton,
  sendNow,
  sends,
  sent,
  server,
  setUpSendPage,
  tests,
  title,
  type,
  writeToTwo,
} from './testing/send-page.tsx'

setUpSendPage()

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
    replaceSends(Array.from({ length: 12 }, (_, n) => aCampaign(12 - n)))
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

    replaceSends([aCampaign(13, { live: 2 }, { title: 'The hall is closed' }), ...sends])
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

  it('[C-19] sends an urgent notification after the dialog has named it, and shows it as urgent in the history', async () => {
    await open()
    await writeToTwo()
    const urgent = () => screen.getByRole('checkbox', { name: 'Urgent' })
    await clock.user.click(urgent())
    await press(sendButton())
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText('Urgent.')).toBeDefined()
    expect(dialog.getByText(/pushed at once, also to people who switched this type off/)).toBeDefined()
    await press(confirmButton())
    await clock.advance(500)
    expect(sent().map(({ body }) => body)).toMatchObject([{ isUrgent: true }])
    replaceSends([aCampaign(13, { live: 2 }, { title: 'The hall is closed', isUrgent: true }), ...sends])
    await sendNow()
    const history = screen.getAllByRole('listitem').filter(({ textContent }) => textContent.includes('Urgent'))
    expect(history.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('The hall is closed')])
    // The next one is not.
    expect(urgent()).toHaveProperty('checked', false)
    await writeToTwo()
    await press(sendButton())
    expect(within(screen.getByRole('dialog')).queryByText('Urgent.')).toBeNull()
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

  it('[C-20] sends a picture, shows it in the confirmation, and keeps it in the draft until it is removed', async () => {
    const image = 'https://exam.example/hall.webp'
    await open()
    await writeToTwo()
    await press(screen.getByRole('button', { name: 'Add a picture' }))
    expect(screen.getByRole('button', { name: 'Upload' })).toBeDefined()
    await clock.fill(screen.getByLabelText('Image URL'), 'ftp://exam.example/hall.webp')
    await press(sendButton())
    expect(screen.getByText('Image URL must start with https:// or /')).toBeDefined()
    await clock.user.clear(screen.getByLabelText('Image URL'))
    await clock.fill(screen.getByLabelText('Image URL'), image)
    await press(screen.getByRole('link', { name: 'Leave' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(screen.getByLabelText('Image URL')).toHaveProperty('value', image)
    await press(sendButton())
    const preview = within(screen.getByRole('dialog')).getByRole('figure', { name: 'Preview' })
    expect(preview.querySelector('img')?.getAttribute('src')).toBe(image)
    await press(confirmButton())
    await clock.advance(500)
    await sendNow()
    expect(sent()[0]?.body).toMatchObject({ title: 'The hall is closed', image })
    await writeToTwo()
    await press(screen.getByRole('button', { name: 'Add a picture' }))
    await press(screen.getByRole('button', { name: 'Remove the picture' }))
    await send()
    expect(sent()[1]?.body).not.toHaveProperty('image')
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
      expect(tests()[0]?.body).toMatchObject({ title: 'The hall is closed', button })
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
      expect(
        screen.getByText('Enter an address that begins with https://, or a page of the portal such as /my-program'),
      ).toBeDefined()
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
      expect(
        screen.queryByText('Enter an address that begins with https://, or a page of the portal such as /my-program'),
      ).toBeNull()
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

describe('[C-24] a second language', () => {
  const add = () => press(screen.getByRole('button', { name: 'Add a second language' }))
  const part = () => within(screen.getByRole('group', { name: 'Second language' }))
  const language = () => part().getByRole('combobox', { name: 'Language' })
  const translatedTitle = () => part().getByLabelText('Title in this language')
  const translatedMessage = () => part().getByLabelText('Message in this language')
  const choose = async (name: string) => {
    await clock.user.click(language())
    await clock.user.click(screen.getByRole('option', { name }))
    await clock.advance(500)
  }
  const translation = { lang: 'hi', title: 'हॉल बंद है', message: 'कृपया कमरा 12 में आइए।' }
  const writeTranslation = async () => {
    await add()
    await choose('हिन्दी')
    await clock.fill(translatedTitle(), translation.title)
    await clock.fill(translatedMessage(), translation.message)
  }

  it('is sent, also in a test, shown in the preview by a switch, and kept in the draft until it is removed', async () => {
    await open()
    await writeToTwo()
    await writeTranslation()
    expect(translatedTitle().getAttribute('lang')).toBe('hi')
    await press(screen.getByRole('link', { name: 'Leave' }))
    await press(screen.getByRole('link', { name: 'Return' }))
    expect(language().textContent).toBe('हिन्दी')
    expect(translatedMessage()).toHaveProperty('value', translation.message)
    await press(screen.getByRole('button', { name: 'Send me a test' }))
    expect(tests()[0]?.body).toMatchObject({ title: 'The hall is closed', translation })
    await press(sendButton())
    const dialog = within(screen.getByRole('dialog'))
    const preview = within(dialog.getByRole('figure', { name: 'Preview' }))
    expect(preview.getByText('The hall is closed')).toBeDefined()
    await press(dialog.getByRole('button', { name: 'हिन्दी' }))
    expect(preview.getByText(translation.title).getAttribute('lang')).toBe('hi')
    await press(dialog.getByRole('button', { name: 'Original' }))
    expect(preview.queryByText(translation.title)).toBeNull()
    await press(confirmButton())
    await clock.advance(500)
    await sendNow()
    expect(sent()[0]?.body).toMatchObject({ title: 'The hall is closed', translation })
    expect(screen.queryByRole('group', { name: 'Second language' })).toBeNull()
    await writeToTwo()
    await writeTranslation()
    await press(screen.getByRole('button', { name: 'Remove the second language' }))
    await add()
    expect(translatedTitle()).toHaveProperty('value', '')
    expect(language().textContent).toBe('Choose a language')
    await press(sendButton())
    expect(within(screen.getByRole('dialog')).queryByRole('button', { name: 'Original' })).toBeNull()
    await press(confirmButton())
    await clock.advance(500)
    await sendNow()
    expect(sent()[1]?.body).not.toHaveProperty('translation')
  })

  it('takes placeholders, and is checked with the other fields once anything is written in it', async () => {
    await open()
    await writeToTwo()
    await add()
    expect(document.activeElement).toBe(language())
    await clock.fill(translatedTitle(), 'नमस्ते ')
    await press(within(screen.getByRole('group', { name: 'Insert' })).getByRole('button', { name: 'Their name' }))
    expect(translatedTitle()).toHaveProperty('value', 'नमस्ते {{name}}')
    await press(sendButton())
    expect(screen.getByText('Please choose a language')).toBeDefined()
    expect(screen.getByText('Please enter the message in the second language')).toBeDefined()
    await choose('தமிழ்')
    expect(screen.queryByText('Please choose a language')).toBeNull()
    await clock.fill(translatedMessage(), '{{nmae}}')
    await press(sendButton())
    expect(screen.getByText('Unknown placeholder {{nmae}}. Did you mean {{name}}?')).toBeDefined()
    expect(document.activeElement).toBe(translatedMessage())
    await clock.user.clear(translatedTitle())
    await clock.user.clear(translatedMessage())
    await send()
    expect(sent()[0]?.body).not.toHaveProperty('translation')
  })

  it("shows the server's message at its field", async () => {
    await open()
    await writeToTwo()
    await writeTranslation()
    const errors = { 'translation.title': 'This title is not accepted' }
    const rejection = problem(400, 'invalid', errors['translation.title'])
    server.on('POST /notifications/held', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
    await confirmSend()
    expect(screen.getAllByText('This title is not accepted')).toHaveLength(1)
    expect(document.activeElement).toBe(translatedTitle())
  })
})

describe('[C-22] placeholders', () => {
  const insert = (label: string) =>
    press(within(screen.getByRole('group', { name: 'Insert' })).getByRole('button', { name: label }))
  const preview = () => within(within(screen.getByRole('dialog')).getByRole('figure', { name: 'Preview' }))
  const cancel = async () => {
    await press(screen.getByRole('button', { name: 'Cancel' }))
    await clock.advance(500)
  }
  const caretIn = (field: HTMLElement): number | null => {
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field.selectionStart
    throw new Error('not a text field')
  }

  it('are inserted at the caret of the field that had it last, and count as they are written', async () => {
    await open()
    await insert('Their program')
    expect(message()).toHaveProperty('value', '{{program}}')
    expect(document.activeElement).toBe(message())
    await clock.fill(title(), 'Dear ,')
    await clock.user.keyboard('{ArrowLeft}')
    await insert('Their name')
    expect(title()).toHaveProperty('value', 'Dear {{name}},')
    expect(caretIn(title())).toBe('Dear {{name}}'.length)
    await clock.user.keyboard(' and friends')
    await insert('Their code')
    expect(title()).toHaveProperty('value', 'Dear {{name}} and friends{{code}},')
    await clock.fill(title(), 'x'.repeat(32))
    await insert('Their name')
    expect(screen.getByText('40 characters. A push shows about 50.')).toBeDefined()
  })

  it('are sent as they are written, and shown as the first chosen recipient reads them, or for an example', async () => {
    const person = { ...aPerson(1, 'Asha Rao'), studentCode: '' }
    const enrollments = ['Applied AI', 'Data Science'].map((programName, n) => ({
      programId: programId(n + 1),
      programName,
      currentSemester: 'Semester 1',
      paymentStatus: 'Pending',
    }))
    const held = deferredAnswer()
    server.on(`GET /notifications/people/${userId(1)}`, held.handler)
    await open()
    await writeToTwo()
    await clock.fill(title(), 'For {{name}}')
    await clock.fill(message(), '{{ program | a program }}: code {{code}}')
    await press(sendButton())
    expect(preview().getByText('For Asha Patel')).toBeDefined()
    expect(screen.getByText(/^As Asha Patel, an example, reads it\./)).toBeDefined()
    held.release(ok({ person, enrollments, deliveries: [] }))
    await clock.flush()
    expect(preview().getByText('For Asha Rao')).toBeDefined()
    expect(preview().getByText('Data Science: code')).toBeDefined()
    expect(screen.getByText(/^As Asha Rao reads it\./)).toBeDefined()
    await press(confirmButton())
    await clock.advance(500)
    expect(sent()[0]?.body).toMatchObject({
      title: 'For {{name}}',
      message: '{{ program | a program }}: code {{code}}',
    })
  })

  it('are refused if they are unknown, with the one that is meant, by the form and by the server', async () => {
    await open()
    await writeToTwo()
    await clock.fill(title(), 'For {{nmae}}')
    await press(sendButton())
    expect(screen.getByText('Unknown placeholder {{nmae}}. Did you mean {{name}}?')).toBeDefined()
    expect(document.activeElement).toBe(title())
    expect(screen.queryByRole('dialog')).toBeNull()
    await clock.fill(title(), 'For { {{ }} }')
    await press(sendButton())
    expect(preview().getByText('For { {{ }} }')).toBeDefined()
    expect(screen.queryByText(/reads it\./)).toBeNull()
    await cancel()
    const errors = { message: 'Unknown placeholder {{city}}.' }
    const rejection = problem(400, 'invalid', errors.message)
    server.on('POST /notifications/held', () => ({ ...rejection, body: { ...Object(rejection.body), errors } }))
    await confirmSend()
    expect(screen.getAllByText(errors.message)).toHaveLength(1)
    expect(document.activeElement).toBe(message())
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
  const answerTest = (...devices: readonly object[]) => server.on('POST /notifications/test', () => ok({ devices }))

  it("[C-17] goes to the admin's own devices, without recipients and a question, and keeps the draft", async () => {
    const held = deferredAnswer()
    server.on('POST /notifications/test', held.handler)
    await open()
    await writeToTwo()
    await press(testButton())
    const busy = screen.getByRole('button', { name: 'Sending the test...' })
    expect(busy.getAttribute('aria-disabled')).toBe('true')
    await press(busy)
    expect(tests().map(({ body }) => body)).toEqual([
      { title: 'The hall is closed', message: 'Please come to room 12.', type: 'System Maintenance' },
    ])
    const pixel = { name: 'Chrome on Android', outcome: 'accepted' }
    held.release(ok({ devices: [pixel, { name: 'Firefox on Linux', outcome: 'failed' }] }))
    await clock.flush()
    expect(screen.getByText('Test sent to you')).toBeDefined()
    expect(screen.getByText('On its way to Chrome on Android.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(title()).toHaveProperty('value', ' The hall is closed ')
    expect(sendButton().textContent).toBe('Send to 2 users')
  })

  it('needs a title and a message, but no recipients, and offers to turn notifications on', async () => {
    answerTest()
    await open()
    await press(testButton())
    expect(screen.getByText('Please enter a notification title')).toBeDefined()
    expect(screen.getByText('Please enter a notification message')).toBeDefined()
    expect(screen.queryByText('Please select at least one user')).toBeNull()
    expect(tests()).toEqual([])
    await clock.fill(title(), 'The hall is closed')
    await clock.fill(message(), 'Please come to room 12.')
    await press(testButton())
    expect(screen.getByText('No device of yours gets notifications')).toBeDefined()
    await press(screen.getByRole('button', { name: 'Turn on' }))
    expect(screen.getByText('The own devices')).toBeDefined()
  })

  it('says why it was not sent', async () => {
    await open()
    await writeToTwo()
    const refusal = { ...Object(problem(400, 'invalid', 'No').body), errors: { title: 'Not this title' } }
    for (const [answer, words] of [
      [problem(503, 'unavailable', 'Please try again shortly'), 'Please try again shortly'],
      [{ status: 400, body: refusal }, 'Not this title'],
      [
        ok({ devices: [{ name: 'Firefox on Linux', outcome: 'unavailable' }] }),
        'The push service did not accept the test. Please try again later',
      ],
    ] as const) {
      server.on('POST /notifications/test', () => answer)
      await press(testButton())
      expect(screen.getByText(words)).toBeDefined()
      expect(screen.queryByText('Test sent to you')).toBeNull()
    }
  })
})
