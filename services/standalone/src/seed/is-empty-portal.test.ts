import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { expect, it, onTestFinished } from 'vitest'
import { isEmptyPortal } from './is-empty-portal.ts'

const isEmptyWith = async (...streams: readonly string[]): Promise<boolean> => {
  const store = openSqliteEventStore({ path: ':memory:' })
  onTestFinished(() => store.close())
  for (const stream of streams)
    await store.append(stream, 'any', [{ id: systemClockAndIds.newId(), type: 'X', data: {} }])
  return isEmptyPortal(store)
}

const beginning = ['university-directory', 'setup-admin', 'registration-a', 'user-1', 'setup-admin']

it('a portal is empty before its first start, and after it, also when the admin has logged in', async () => {
  expect(await isEmptyWith()).toBe(true)
  expect(await isEmptyWith(...beginning)).toBe(true)
  expect(await isEmptyWith(...beginning, 'session-1', 'session-2', 'user-1', 'university-directory')).toBe(true)
})

it.each(['user-2', 'registration-b', 'program-catalogue', 'enrollment-1', 'campaign-1', 'inbox-1', 'anything-new'])(
  'with %s there is something in it',
  async (stream) => {
    expect(await isEmptyWith(...beginning, stream)).toBe(false)
  },
)

it('a long log is not looked through', async () => {
  expect(await isEmptyWith(...beginning, ...Array.from({ length: 200 }, () => 'session-1'))).toBe(false)
})
