import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ok, problem, type FakeAnswer } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp
let answer: FakeAnswer
let tokens: unknown[]

const open = async () => {
  tokens = []
  app = await openApp({
    path: '/notifications/unsubscribe?token=ada.signed',
    answers: {
      'POST /notifications/unsubscribe': ({ query }) => {
        tokens.push(query.get('token'))
        return answer
      },
    },
  })
  await screen.findByRole('heading', { level: 1, name: 'Stop emails' })
}
const stop = async () => app.user.click(screen.getByRole('button', { name: 'Stop emails' }))

afterEach(() => app.close())

it('[E-1 E-2] stops e-mails by one button, without a login, and by nothing else', async () => {
  answer = ok({ message: 'You get no more emails about notifications' })
  await open()
  expect(tokens).toEqual([])
  await stop()
  expect(await screen.findByRole('heading', { level: 1, name: 'Emails stopped' })).toBeDefined()
  const status = screen.getByText('You get no more emails about notifications. They are still in your inbox.')
  expect(status.parentElement).toBe(document.activeElement)
  expect(tokens).toEqual(['ada.signed'])
  const settings = screen.getByRole('link', { name: 'Notification settings' })
  expect(settings.getAttribute('href')).toBe('/profile/notifications')
})

it('[E-3] says what is wrong with a broken link, and where else to choose', async () => {
  answer = problem(400, 'invalid', 'This link is not complete.')
  await open()
  await stop()
  expect((await screen.findByRole('alert')).textContent).toBe('This link is not complete.')
  expect(screen.getByRole('button', { name: 'Stop emails' })).toBe(document.activeElement)
  expect(screen.getByRole('link', { name: 'Choose your emails instead' })).toBeDefined()
})
