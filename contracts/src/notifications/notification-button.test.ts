import { describe, expect, test } from 'vitest'
import { limits } from '../shared/rules.ts'
import { notificationTextSchema } from './events.ts'
import { sendNotificationBody } from './http.ts'
import { inboxItemSchema, strictInboxItemSchema, withdrawItem } from './notification.ts'
import { destinationOf, notificationButtonSchema } from './notification-button.ts'

const label = 'Choose your center'
const url = 'https://exam.example/centers?city=Pune#list'
const id = '01930000-0000-7000-8000-000000000001'
const item = {
  _id: id,
  id,
  notificationTitle: 'Exam moved',
  title: 'Exam moved',
  notificationType: 'Exam',
  type: 'Exam',
  message: 'Please come to room 12.',
  isRead: false,
  readAt: null,
  deliveredAt: '2026-11-21T09:00:00.000Z',
  timestamp: '2026-11-21T09:00:00.000Z',
  seq: 1,
}

const issuesOf = (button: unknown) =>
  notificationButtonSchema.safeParse(button).error?.issues.map(({ path, message }) => [path.join('.'), message])

describe('[C-18] a button', () => {
  test('has a label and an address, both trimmed', () => {
    expect(notificationButtonSchema.parse({ label: ` ${label} `, url: ` ${url} ` })).toEqual({ label, url })
  })

  test('has a label of one line, not empty, not too long', () => {
    const rows: [string, string][] = [
      ['', 'Please enter a button label'],
      ['  ', 'Please enter a button label'],
      ['\u200B', 'Please enter a button label'],
      ['x'.repeat(41), 'Button label must be at most 40 characters'],
      ['One\ntwo', 'Button label must be one line'],
      ['Pay\u202Enow', 'Button label must not contain hidden characters'],
    ]
    expect(rows.map(([wrong]) => [wrong, issuesOf({ label: wrong, url })])).toEqual(
      rows.map(([wrong, message]) => [wrong, [['label', message]]]),
    )
    const right = ['x', 'x'.repeat(40), 'परीक्षा केंद्र चुनें', '👩‍🎓 Open']
    expect(right.filter((text) => issuesOf({ label: text, url }))).toEqual([])
  })

  test('has an https address without a user name, or a page of the portal', () => {
    const notHttps = 'Enter an address that begins with https://, or a page of the portal such as /my-program'
    const rows: [string, string][] = [
      ['', 'Please enter an address'],
      ['  ', 'Please enter an address'],
      ['exam.example', notHttps],
      ['http://exam.example', notHttps],
      ['javascript:alert(1)', notHttps],
      ['data:text/html,https://exam.example', notHttps],
      ['//exam.example', notHttps],
      ['/\\exam.example', notHttps],
      ['/notification list', notHttps],
      ['/\texam.example', notHttps],
      ['https:exam.example', notHttps],
      ['https:///exam.example', notHttps],
      ['https://', notHttps],
      ['https://?a', notHttps],
      ['https://exam.example/a b', notHttps],
      ['https://exam.example\n.evil.example', notHttps],
      ['https:\\\\exam.example', notHttps],
      ['https://exam.example\\@evil.example', notHttps],
      ['https://exam.example:99999', notHttps],
      ['https://portal.example@evil.example', 'Enter an address without a user name or password'],
      ['https://a:b@evil.example', 'Enter an address without a user name or password'],
      ['https://:b@evil.example', 'Enter an address without a user name or password'],
      [`https://exam.example/${'x'.repeat(limits.buttonUrlChars)}`, 'Address must be at most 2048 characters'],
    ]
    expect(rows.map(([wrong]) => [wrong, issuesOf({ label, url: wrong })])).toEqual(
      rows.map(([wrong, message]) => [wrong, [['url', message]]]),
    )
    const right = [
      'https://exam.example',
      'HTTPS://EXAM.EXAMPLE/A',
      'https://exam.example:8443/a?b=@c#d',
      'https://परीक्षा.example/केंद्र',
      '/',
      '/program-details-active/01930000-0000-7000-8000-000000000001?from=mail#fees',
      `https://exam.example/${'x'.repeat(limits.buttonUrlChars - 21)}`,
    ]
    expect(right.map((address) => notificationButtonSchema.safeParse({ label, url: address }).data?.url)).toEqual(right)
  })

  test('needs both parts', () => {
    expect(issuesOf({ label })).toEqual([['url', 'Please enter an address']])
    expect(issuesOf({ url })).toEqual([['label', 'Please enter a button label']])
    expect(issuesOf({ label: '', url: '' })).toHaveLength(2)
  })

  test('leads to a page of the portal or to a host, in ASCII if the name could look like another one', () => {
    expect(destinationOf({ label, url: '/my-program' })).toBe('/my-program')
    expect(destinationOf({ label, url: 'https://exam.example:8443/a' })).toBe('exam.example:8443')
    // The first letter is Cyrillic.
    expect(destinationOf({ label, url: 'https://\u0430pple.example' })).toBe('xn--pple-43d.example')
  })
})

describe('a notification with a button', () => {
  const button = { label, url }

  test('can be sent, recorded and shown; without one the field is absent', () => {
    const text = { title: 'Exam moved', message: 'Room 12', userIds: [id] }
    expect(sendNotificationBody.parse({ ...text, button }).button).toEqual(button)
    expect(sendNotificationBody.parse(text)).not.toHaveProperty('button')
    expect(sendNotificationBody.safeParse({ ...text, button: null }).success).toBe(false)
    const recorded = { notificationId: id, title: 'Exam moved', message: 'Room 12', type: 'Exam' }
    expect(notificationTextSchema.parse({ ...recorded, button })).toEqual({ ...recorded, button })
    expect(Object.keys(notificationTextSchema.parse(recorded))).toEqual(Object.keys(recorded))
    expect(strictInboxItemSchema.parse({ ...item, button }).button).toEqual(button)
    expect(JSON.stringify(inboxItemSchema.parse(item))).not.toContain('button')
  })

  test('names the wrong part in a request', () => {
    const body = { title: 'Exam', message: 'Room 12', userIds: [id], button: { label, url: 'http://exam.example' } }
    expect(sendNotificationBody.safeParse(body).error?.issues).toMatchObject([{ path: ['button', 'url'] }])
  })

  test('is shown without it if it is not valid, and never sent so by the server', () => {
    const wrong = [null, 'text', { label }, { label, url: 'javascript:alert(1)' }]
    const shown = wrong.map((value) => inboxItemSchema.parse({ ...item, button: value }).button)
    expect(shown).toEqual(wrong.map(() => undefined))
    expect(wrong.filter((value) => strictInboxItemSchema.safeParse({ ...item, button: value }).success)).toEqual([])
  })

  test('[C-20] is shown without its picture if the address of that is not valid', () => {
    const right = ['/pictures/0123456789abcdef0123456789abcdef', 'https://a.example/b.png']
    expect(right.map((image) => inboxItemSchema.parse({ ...item, image }).image)).toEqual(right)
    const wrong = ['javascript:alert(1)', 'http://a.example/b.png', '', 7]
    expect(wrong.map((image) => inboxItemSchema.parse({ ...item, image }).image)).toEqual(wrong.map(() => undefined))
  })

  test('loses it with its text when it is withdrawn', () => {
    const whole = inboxItemSchema.parse({ ...item, button, image: '/pictures/0123456789abcdef0123456789abcdef' })
    const withdrawn = withdrawItem(whole, '2026-11-21T10:00:00.000Z')
    expect(withdrawn).not.toHaveProperty('button')
    expect(withdrawn).not.toHaveProperty('image')
  })
})
