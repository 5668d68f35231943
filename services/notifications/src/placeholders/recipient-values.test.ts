import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { createMemoryLog } from '@portal/notifications/testing/memory-log'
import { authPublisher, catalogPublisher, profileAt, registered } from '@portal/notifications/testing/people'
import { createPlainVault, plainProfile } from '@portal/notifications/testing/plain-vault'
import { enrolledIn, savedProgram } from '@portal/notifications/testing/programs'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { audienceProjection } from '../audience/projection.ts'
import { createFillTexts } from './fill-texts.ts'
import { createRecipientValues } from './recipient-values.ts'

const logger = pino({ level: 'silent' })
const ada = userIdAt(1)

let log: ReturnType<typeof createMemoryLog>
let audience: ReturnType<typeof createProjectedLog>
let vault: ReturnType<typeof createPlainVault>
beforeEach(() => {
  log = createMemoryLog()
  audience = createProjectedLog(audienceProjection, log, [authPublisher, catalogPublisher])
  vault = createPlainVault()
})
afterEach(() => audience.close())

const register = (userId: UserId, n: number): void => {
  log.append(`user-${userId}`, registered(userId, 'student', plainProfile(profileAt(n))))
}
const valuesOn = (decrypt: Parameters<typeof createRecipientValues>[0]['vault']['decrypt']) =>
  createRecipientValues({ audience: audience.readModel, vault: { decrypt }, logger })

it('decrypts a user once, until something in the bucket changes', async () => {
  const values = valuesOn(vault.decrypt)
  register(ada, 1)
  log.append('catalog-all', savedProgram(1, 'Applied AI'), enrolledIn(1, ada, 'Pending'))
  await audience.project()
  const expected = { name: 'Learner 1', code: 'MIN-2026-0001', programs: [{ programName: 'Applied AI' }] }
  for (let reads = 0; reads < 3; reads++) expect((await values.of([ada])).get(ada)?.values).toMatchObject(expected)
  expect(vault.takeDecrypted()).toEqual([ada])
  const before = await values.version(ada)
  const neighbor = Array.from({ length: 1_000 }, (_, n) => userIdAt(n + 2)).find(
    (id) => bucketKey(id) === bucketKey(ada),
  )
  if (!neighbor) throw new Error('no neighbor')
  register(neighbor, 2)
  await audience.project()
  expect(await values.version(ada)).not.toBe(before)
  expect((await values.of([ada, neighbor])).get(neighbor)?.values).toMatchObject({ name: 'Learner 2', programs: [] })
  expect(vault.takeDecrypted().toSorted()).toEqual([ada, neighbor].toSorted())
})

it('reads very many users with their programs', async () => {
  const users = Array.from({ length: 1_200 }, (_, n) => userIdAt(n + 1))
  log.append('catalog-all', ...[1, 2, 3].map((n) => savedProgram(n, `Minor ${n}`)))
  for (const [index, userId] of users.entries()) {
    register(userId, index)
    log.append('catalog-all', enrolledIn((index % 3) + 1, userId, 'Pending'))
  }
  await audience.project()
  const found = await valuesOn(vault.decrypt).of(users)
  for (const [index, userId] of users.entries())
    expect(found.get(userId)?.values).toMatchObject({
      name: `Learner ${index}`,
      programs: [{ programName: `Minor ${(index % 3) + 1}` }],
    })
})

it('has no values for unknown users and unreadable profiles', async () => {
  log.append(`user-${ada}`, registered(ada, 'student', encryptedTextSchema.parse('not JSON')))
  await audience.project()
  const found = await valuesOn(vault.decrypt).of([ada, userIdAt(9)])
  expect([...found.values()].map(({ values }) => values)).toEqual([{ programs: [] }, { programs: [] }])
})

it('shows fallbacks while the vault fails, and says so', async () => {
  register(ada, 1)
  await audience.project()
  const text = { ...someText(1), title: 'For {{name}}', hasPlaceholders: true as const }
  let isDown = true
  const values = valuesOn(async (userId, encrypted) => {
    if (isDown) throw new Error('the store is unavailable')
    return vault.decrypt(userId, encrypted)
  })
  const { fill } = createFillTexts({ values, logger })
  expect(await fill(ada, [text])).toMatchObject({ isComplete: false, texts: [{ title: 'For learner' }] })
  isDown = false
  expect(await fill(ada, [text])).toMatchObject({ isComplete: true, texts: [{ title: 'For Learner 1' }] })
  expect(await fill(ada, [someText(2)])).toEqual({ isComplete: true, texts: [someText(2)], version: undefined })
})
