import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeBrowser } from '../../features/push/testing/fake-browser.ts'
import { startSession } from '../../lib/session.ts'
import { idOf } from '../../testing/fake-inbox.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'
import { until } from '../../testing/until.ts'

const info = vi.fn<(text: string) => void>()
let app: OpenApp | undefined

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(info.mockClear())
})
afterEach(async () => {
  await app?.close()
  app = undefined
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.restoreAllMocks()
})

const keyRequests = () => app?.requests.filter(({ path }) => path === '/notifications/push-key').length

it('[F-7 F-16] does not ask for permission in a browser without push, and logs this', async () => {
  app = await openApp({ path: '/notification', user: aUser() })
  await until(() => expect(info).toHaveBeenCalledWith('This browser does not support push notifications'))
  expect(keyRequests()).toBe(0)
})

/** After a login, a browser that shows the pushes of numbers 1 to 4, of which 1 was read on another device. */
const openWithPushes = async () => {
  const browser = fakeBrowser()
  browser.hasPermission('granted')
  const worker = await navigator.serviceWorker.getRegistration()
  const show = (title: string, tag: string) => worker?.showNotification(title, { tag })
  await show('Of the session before', idOf(9))
  app = await openApp({
    path: '/notification',
    user: aUser(),
    setUpInbox: (inbox) => {
      for (let n = 1; n <= 4; n++) inbox.arrive()
      inbox.read(idOf(1))
    },
  })
  await screen.findByText('Notice 4', { selector: '.title > span' })
  await until(() => expect(keyRequests()).toBe(1))
  await until(() => expect(browser.shown).toEqual([]))
  for (const n of [1, 2, 3, 4]) await show(`Notice ${n}`, idOf(n))
  const expectShown = (...numbers: readonly number[]) =>
    until(() => expect(browser.shown.map(({ title }) => title)).toEqual(numbers.map((n) => `Notice ${n}`)))
  return { opened: app, expectShown }
}

it('closes the shown push of what is read or withdrawn, here or elsewhere, and no other', async () => {
  const { opened, expectShown } = await openWithPushes()
  opened.updateInbox((inbox) => inbox.arrive())
  await expectShown(2, 3, 4)
  await until(() => expect(opened.seen).toContain(opened.inbox.head().seq))
  opened.updateInbox((inbox) => inbox.recall(idOf(4)))
  await expectShown(2, 3)
  await opened.user.click(screen.getByRole('link', { name: /Notice 3/ }))
  await expectShown(2)
})

it('closes all shown pushes when nothing is unread any longer', async () => {
  const { opened, expectShown } = await openWithPushes()
  await until(() => expect(opened.seen).toContain(opened.inbox.head().seq))
  opened.updateInbox((inbox) => inbox.readAll())
  await expectShown()
})

it('[F-4 F-11] does not set up push for a visitor', async () => {
  app = await openApp({ path: '/home' })
  await screen.findAllByRole('link', { name: 'Login' })
  // For a visitor it would have logged this before the page rendered, as it does after a login.
  expect(info).not.toHaveBeenCalled()
  act(() => startSession({ user: aUser(), token: 'a-token' }))
  await until(() => expect(info).toHaveBeenCalledWith('This browser does not support push notifications'))
})

it.each([
  ['user', ['token', 'isLoggedIn']],
  ['token', ['user', 'isLoggedIn']],
])('[F-11] does not set up push while no %s is stored', async (_missing, given) => {
  app = await openApp({ path: '/home' })
  await screen.findAllByRole('link', { name: 'Login' })
  const stored = new Map([
    ['user', JSON.stringify(aUser())],
    ['token', 'a-token'],
    ['isLoggedIn', 'true'],
  ])
  const fireStorageEvent = (key: string) =>
    act(() => {
      localStorage.setItem(key, stored.get(key) ?? '')
      window.dispatchEvent(new StorageEvent('storage', { key }))
    })
  for (const key of given) fireStorageEvent(key)
  expect(info).not.toHaveBeenCalled()
  expect(screen.getAllByRole('link', { name: 'Login' })).not.toEqual([])
  for (const key of stored.keys()) fireStorageEvent(key)
  await until(() => expect(info).toHaveBeenCalledWith('This browser does not support push notifications'))
})

it.each([
  ['student', '/notification'],
  ['faculty', '/faculty/dashboard'],
  ['admin', '/admin/profile'],
] as const)('[F-4 F-13] is for signed-in users who have not refused: a %s', async (role, path) => {
  fakeBrowser().hasPermission('denied')
  app = await openApp({ path, user: aUser({ role }) })
  await until(() => expect(info).toHaveBeenCalledWith('Notifications are not permitted'))
  expect(keyRequests()).toBe(0)
})
