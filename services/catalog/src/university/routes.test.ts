import { addUniversity, listUniversities, removeUniversity, renameUniversity } from '@portal/contracts/catalog/http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { callerId, type Harness, startHarness } from '@portal/catalog/testing/harness'
import { seedUniversityNames } from './seed-universities.ts'

const unknownId = '01980000-0000-7000-8000-0000000000ff'

describe('university routes', () => {
  let portal: Harness
  beforeEach(async () => {
    portal = await startHarness()
  })
  afterEach(() => portal.stop())

  const add = (name: string) => portal.call(addUniversity, { as: 'admin', body: { name } })
  const names = async () => (await portal.call(listUniversities)).map(({ name }) => name)

  test('record the admin with a change, and changes and rejections in the security log', async () => {
    const { data } = await add('Westhill')
    expect(await portal.recorded()).toEqual([
      { type: 'UniversityAdded', data: { universityId: data._id, name: 'Westhill' }, actorId: callerId },
    ])
    await portal.refuse(addUniversity, { as: 'admin', body: { name: 'Westhill' } })
    await portal.refuse(addUniversity, { as: 'student', body: { name: 'Easthill' } })
    const changed = { event: 'university-changed', userId: callerId, role: 'admin', route: '/api/universities' }
    expect(portal.securityLog.events.map(({ requestId: _id, sessionId: _session, ...event }) => event)).toMatchObject([
      { ...changed, result: 'ok', target: data._id, address: '127.0.0.1' },
      { ...changed, result: 'refused', code: 'conflict' },
      { event: 'request-refused', result: 'refused', code: 'forbidden', userId: callerId, role: 'student' },
    ])
    expect(portal.securityLog.text()).not.toContain('Westhill')
  })

  test('[U-12 U-13] show an added university at once, trimmed and sorted by name, to anyone', async () => {
    expect(await portal.call(listUniversities)).toEqual([])
    const answer = await add('  Westhill ')
    expect(answer).toMatchObject({ success: true, message: 'University added successfully' })
    expect(answer.data.name).toBe('Westhill')
    await add('eastbrook')
    await add('Eastbrook 10')
    await add('Eastbrook 9')
    expect(await names()).toEqual(['eastbrook', 'Eastbrook 9', 'Eastbrook 10', 'Westhill'])
    expect(await portal.call(listUniversities)).toContainEqual(answer.data)
  })

  test('reject a name that is taken', async () => {
    await add('Westhill')
    const refusal = { status: 409, code: 'conflict', message: 'A university with this name already exists' }
    expect(await portal.refuse(addUniversity, { as: 'admin', body: { name: 'WESTHILL' } })).toMatchObject(refusal)
    const { data } = await add('Eastbrook')
    const rename = { as: 'admin', id: data._id, body: { name: 'westhill' } } as const
    expect(await portal.refuse(renameUniversity, rename)).toMatchObject(refusal)
    expect(await names()).toEqual(['Eastbrook', 'Westhill'])
  })

  test('[U-6 U-14] keep the id of a renamed university', async () => {
    const { data } = await add('Westhil')
    const answer = await portal.call(renameUniversity, { as: 'admin', id: data._id, body: { name: 'Westhill' } })
    expect(answer).toEqual({
      success: true,
      message: 'University updated successfully',
      data: { _id: data._id, name: 'Westhill' },
    })
    expect(await portal.call(listUniversities)).toEqual([{ _id: data._id, name: 'Westhill' }])
  })

  test('[U-15] remove a university and free its name', async () => {
    const { data } = await add('Westhill')
    const answer = await portal.call(removeUniversity, { as: 'admin', id: data._id })
    expect(answer).toEqual({ success: true, message: 'University deleted successfully' })
    expect(await names()).toEqual([])
    const gone = { status: 404, code: 'not-found', message: 'University not found' }
    expect(await portal.refuse(removeUniversity, { as: 'admin', id: data._id })).toMatchObject(gone)
    const rename = { as: 'admin', id: data._id, body: { name: 'Eastbrook' } } as const
    expect(await portal.refuse(renameUniversity, rename)).toMatchObject(gone)
    await add('Westhill')
    expect(await names()).toEqual(['Westhill'])
  })

  test('seed universities once across retries and processes, and not again after they were removed', async () => {
    await Promise.all(Array.from({ length: 4 }, () => portal.catalog.seedUniversities()))
    await portal.catalog.seedUniversities()
    expect((await portal.recorded()).map(({ data }) => data)).toMatchObject(
      seedUniversityNames.map((name) => ({ name })),
    )
    await add('Our own')
    expect(await names()).toEqual(['Our own', ...seedUniversityNames].toSorted())
    for (const { _id, name } of await portal.call(listUniversities)) {
      if (name !== 'Our own') await portal.call(removeUniversity, { as: 'admin', id: _id })
    }
    await portal.catalog.seedUniversities()
    expect(await names()).toEqual(['Our own'])
  })
})

test('[G-38] invalid names and ids are rejected, and nothing is recorded', async () => {
  const portal = await startHarness()
  onTestFinished(() => portal.stop())
  const name = 'Westhill'
  const names = [
    [{}, 'University name is required'],
    [{ name: '   ' }, 'University name is required'],
    [{ name: null }, 'University name is required'],
    [{ name: ['Westhill'] }, 'University name is required'],
    [{ name: 'x'.repeat(50_000) }, 'University name must be at most 120 characters'],
    [{ name: 'West\u0000hill' }, 'University name must not contain control characters'],
    [[], 'The request body must be a JSON object'],
  ] as const
  const ids = ['nope', '1', '../admin', "' OR 1=1 --", 'x'.repeat(90)]
  const calls = [
    ...names.map(([body, message]) => [addUniversity, {}, body, message] as const),
    ...names.map(([body, message]) => [renameUniversity, { id: unknownId }, body, message] as const),
    ...ids.map((id) => [renameUniversity, { id }, { name }, 'The id is not valid'] as const),
    ...ids.map((id) => [removeUniversity, { id }, {}, 'The id is not valid'] as const),
  ]
  const answers: unknown[] = []
  for (const [route, params, body] of calls) {
    const { status, message } = await portal.refuse(route, { as: 'admin', body, ...params })
    answers.push([route.path, params, body, status, message])
  }
  expect(answers).toEqual(calls.map(([route, params, body, message]) => [route.path, params, body, 400, message]))
  expect(await portal.recorded()).toEqual([])
})
