import { getProfile, updateProfile } from '@portal/contracts/auth/http'
import { type CatalogEvent, catalogEventSchema } from '@portal/contracts/catalog/events'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { applicant, startHarness } from '@portal/auth/testing/harness'
import type { Publisher } from '@portal/platform/bus/publisher'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok } from '@portal/platform/decider/decider'
import { until } from '@portal/platform/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { createCurrentUniversities } from './current-university.ts'

const universityId = universityIdSchema.parse('01980000-0000-7000-8000-000000000001')
const other = universityIdSchema.parse('01980000-0000-7000-8000-000000000002')

/** Replaces the catalog context: publishes events of `catalog-` streams unchanged. */
const catalogPublisher: Publisher = {
  category: 'catalog',
  topics: ['catalog'],
  publish: ({ type, data }) => [{ topic: 'catalog', key: 'universities', ...catalogEventSchema.parse({ type, data }) }],
}

const startWithCatalog = async (knowsIds: boolean) => {
  const portal = await startHarness({
    publishers: [catalogPublisher],
    universities: { find: async () => ok(knowsIds ? universityId : undefined) },
  })
  onTestFinished(portal.stop)
  const record = async (...events: readonly CatalogEvent[]) => {
    const recorded = events.map((event) => ({ id: systemClockAndIds.newId(), ...event }))
    await portal.parts.eventStore.append('catalog-all', 'any', recorded)
  }
  await record({ type: 'UniversityAdded', data: { universityId, name: applicant.universityName } })
  await portal.register()
  return { portal, record }
}

test.each([
  ['by its id', true],
  ['by its name, if the id was not recorded', false],
])('[D1] the profile shows what the university is called now, %s', async (_, knowsIds) => {
  const { portal, record } = await startWithCatalog(knowsIds)
  await record({ type: 'UniversityRenamed', data: { universityId, name: 'Southfield University' } })
  const { token } = await portal.logIn()
  const universityNow = async () => (await portal.call(getProfile, { token })).user.universityName
  await until(async () => expect(await universityNow()).toBe('Southfield University'))
  expect((await portal.logIn()).user.universityName).toBe('Southfield University')
  const changed = await portal.call(updateProfile, { token, body: { fullName: 'Asha V. Verma' } })
  expect(changed.user).not.toHaveProperty('universityId')
  expect(changed.user.universityName).toBe('Southfield University')
  await portal.restart()
  expect(await universityNow()).toBe('Southfield University')
})

test('[D1] another university that is given the former name does not take its learners', async () => {
  const { portal, record } = await startWithCatalog(true)
  await record(
    { type: 'UniversityRenamed', data: { universityId, name: 'Southfield University' } },
    { type: 'UniversityAdded', data: { universityId: other, name: applicant.universityName } },
    { type: 'UniversityRemoved', data: { universityId } },
  )
  await until(async () => expect((await portal.logIn()).user.universityName).toBe('Southfield University'))
})

test('a profile shows the name of the registration while the names cannot be read', async () => {
  const unavailable = () => Promise.reject(new Error('the read model is unavailable'))
  const readModel = { lineage: () => 'lineage', range: unavailable, positions: unavailable }
  const currentName = await createCurrentUniversities(readModel)()
  expect(currentName({ universityName: 'Northfield' })).toBe('Northfield')
})
