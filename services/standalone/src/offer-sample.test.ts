import { PassThrough } from 'node:stream'
import { newPassword } from '@portal/contracts/shared/rules'
import { expect, it, onTestFinished } from 'vitest'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { defaultLearnerCount } from '@portal/sample-data/seed-portal'
import { askYesOrNo, isEmptyPortal, offerSample } from './offer-sample.ts'

/** A user at a terminal who types an answer. */
const terminal = (isTTY = true) => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  return { input, output, shown: (): string => String(output.read() ?? '') }
}

it('asks, and accepts yes', async () => {
  const { input, output, shown } = terminal()
  input.write('y\n')
  const request = await offerSample({ input, output })
  expect(shown()).toContain('This portal is empty. Add sample programs, learners and notifications? [y/N] ')
  expect(request).toMatchObject({ learners: defaultLearnerCount, withSample: true })
  expect(newPassword.safeParse(request?.password).success).toBe(true)
})

it('takes y and yes for a yes, and everything else for a no', async () => {
  const [yes, no] = [
    ['Y\n', 'yes\n', ' YES \n', 'y\r\n'],
    ['n\n', '\n', 'no\n', 'yellow\n', 'maybe y\n'],
  ]
  const accepted = []
  for (const typed of [...yes, ...no]) {
    const { input, output } = terminal()
    input.write(typed)
    if (await offerSample({ input, output })) accepted.push(typed)
  }
  expect(accepted).toEqual(yes)
})

it('treats the end of the input as no', async () => {
  const { input, output } = terminal()
  input.end()
  expect(await offerSample({ input, output })).toBeUndefined()
})

it('treats a timeout as no', async () => {
  const { input, output, shown } = terminal()
  expect(await askYesOrNo({ question: 'Well?', input, output, timeoutMs: 1 })).toBe(false)
  expect(shown()).toMatch(/^Well\? \[y\/N\] \r?\n$/)
})

it('does not ask without a terminal', async () => {
  const { input, output, shown } = terminal(false)
  input.write('y\n')
  expect(await offerSample({ input, output })).toBeUndefined()
  expect(shown()).toBe('')
})

const isEmptyWith = async (...streams: readonly string[]): Promise<boolean> => {
  const store = openSqliteEventStore({ path: ':memory:' })
  onTestFinished(() => store.close())
  for (const stream of streams)
    await store.append(stream, 'any', [{ id: systemClockAndIds.newId(), type: 'X', data: {} }])
  return isEmptyPortal(store)
}

const beginning = ['university-directory', 'setup-admin', 'registration-a', 'user-1', 'setup-admin']

it('a portal is empty before and after its first start, even after a login of the admin', async () => {
  expect(await isEmptyWith()).toBe(true)
  expect(await isEmptyWith(...beginning)).toBe(true)
  expect(await isEmptyWith(...beginning, 'session-1', 'session-2', 'user-1', 'university-directory')).toBe(true)
})

it('anything else in it is noticed', async () => {
  const others = [
    'user-2',
    'registration-b',
    'program-catalogue',
    'enrollment-1',
    'campaign-1',
    'inbox-1',
    'anything-new',
  ]
  const unnoticed = []
  for (const stream of others) if (await isEmptyWith(...beginning, stream)) unnoticed.push(stream)
  expect(unnoticed).toEqual([])
})

it('a long log is not searched', async () => {
  expect(await isEmptyWith(...beginning, ...Array.from({ length: 200 }, () => 'session-1'))).toBe(false)
})
