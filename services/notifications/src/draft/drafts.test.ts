import { randomUUID } from 'node:crypto'
import {
  discardDraft,
  type DraftSummary,
  getDraft,
  listDrafts,
  saveDraft,
} from '@portal/contracts/notifications/drafts'
import { downloadOwnData } from '@portal/contracts/notifications/own-data'
import { limits } from '@portal/contracts/shared/rules'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { draftChangesLimit } from './routes.ts'

let portal: Harness
let admin: Person
let ada: Person
let other: Person
beforeEach(async () => {
  portal = await startHarness()
  const cast = await portal.cast()
  ;({ admin, ada } = cast)
  other = { ...cast.ben, role: 'admin' }
})
afterEach(() => portal.stop())

const bodyOf = (title: string, version = 0) => ({ kind: 'message', title, content: `{"title":"${title}"}`, version })
const save = async (title: string, { id = randomUUID() as string, version = 0, as = admin } = {}) =>
  (await portal.call(saveDraft, { as, params: { id }, body: bodyOf(title, version) })).draft
const list = async (as = admin): Promise<DraftSummary[]> => (await portal.call(listDrafts, { as })).drafts
const titles = async (as = admin) => (await list(as)).map(({ title }) => title)
const refused = async (...[route, call]: Parameters<Harness['inject']>) => {
  const { statusCode, ...answer } = await portal.inject(route, call)
  return [statusCode, answer.json<{ message: string }>().message]
}

it('drafts are kept for their author alone, the last changed first', async () => {
  const first = await save('First')
  await save('Second')
  expect(first).toMatchObject({ kind: 'message', title: 'First', version: 1 })
  const again = await save('First, longer', { id: first._id, version: 1 })
  expect(again.version).toBe(2)
  expect(await titles()).toEqual(['First, longer', 'Second'])
  expect(await portal.call(getDraft, { as: admin, params: { id: first._id } })).toEqual({
    success: true,
    draft: { ...again, content: '{"title":"First, longer"}' },
  })
  expect(await list(other)).toEqual([])
  expect(await refused(getDraft, { as: other, params: { id: first._id } })).toEqual([404, 'Draft not found'])
  // The same id of another admin is another draft.
  expect(await save('Theirs', { id: first._id, as: other })).toMatchObject({ version: 1 })
  expect(await titles()).toEqual(['First, longer', 'Second'])
  expect((await portal.inject(listDrafts, { as: ada })).statusCode).toBe(403)
})

it('of two that change the same version, the later one learns that the draft was changed', async () => {
  const { _id: id } = await save('Begun')
  await save('In the first tab', { id, version: 1 })
  const late = { as: admin, params: { id }, body: bodyOf('In the second tab', 1) }
  expect(await refused(saveDraft, late)).toEqual([409, 'This draft was changed elsewhere'])
  for (const version of [0, 3, 900]) {
    const body = bodyOf('Unknown', version)
    expect((await portal.inject(saveDraft, { as: admin, params: { id }, body })).statusCode).toBe(409)
  }
  expect(await titles()).toEqual(['In the first tab'])
  expect(await save('The second one, after a look', { id, version: 2 })).toMatchObject({ version: 3 })
})

it('a repetition after a lost answer is the same change', async () => {
  const { _id: id } = await save('Begun')
  const changed = await save('Longer', { id, version: 1 })
  expect(await save('Longer', { id, version: 1 })).toMatchObject({ version: changed.version })
  expect(await save('Begun', { id })).toMatchObject({ _id: id })
  expect(await list()).toMatchObject([{ title: 'Longer', version: 2 }])
})

it('a draft of a program says which one it is about', async () => {
  const [id, about] = [randomUUID(), randomUUID()]
  const body = { ...bodyOf('Data Science'), kind: 'program', about }
  await portal.call(saveDraft, { as: admin, params: { id }, body })
  expect(await list()).toMatchObject([{ _id: id, kind: 'program', about }])
})

it('a discarded draft is gone, and does not come back', async () => {
  const { _id: id } = await save('Begun')
  await save('Longer', { id, version: 1 })
  const discard = (query = {}) => portal.inject(discardDraft, { as: admin, params: { id }, query })
  expect((await discard({ version: 1 })).statusCode).toBe(409)
  for (let n = 0; n < 2; n++) expect((await discard()).json()).toEqual({ success: true, message: 'Draft discarded' })
  expect(await list()).toEqual([])
  expect((await portal.inject(getDraft, { as: admin, params: { id } })).statusCode).toBe(404)
  const late = { as: admin, params: { id }, body: bodyOf('Still open', 2) }
  expect((await portal.inject(saveDraft, late)).statusCode).toBe(409)
  expect(await portal.call(discardDraft, { as: admin, params: { id: randomUUID() } })).toMatchObject({ success: true })
})

it(`there are at most ${limits.draftsPerAdmin}, and changes are limited to ${draftChangesLimit.max} an hour`, async () => {
  const first = await save('First')
  for (let n = 1; n < limits.draftsPerAdmin; n++) await save(`Number ${n}`)
  const more = { as: admin, params: { id: randomUUID() }, body: bodyOf('One more') }
  const message = `You can keep at most ${limits.draftsPerAdmin} drafts. Please delete some first`
  expect(await refused(saveDraft, more)).toEqual([409, message])
  await save('First, longer', { id: first._id, version: 1 })
  await portal.call(discardDraft, { as: admin, params: { id: first._id } })
  await portal.call(saveDraft, more)
  const invalid = { as: admin, params: { id: randomUUID() }, body: bodyOf('Late', 9) }
  for (let n = limits.draftsPerAdmin + 4; n < draftChangesLimit.max; n++) await portal.inject(saveDraft, invalid)
  expect(await refused(saveDraft, more)).toEqual([429, expect.stringMatching(/^Too many changes of drafts\./)])
})

it('of two that are begun at the same moment, only as many are kept as there is room for', async () => {
  for (let n = 2; n <= limits.draftsPerAdmin; n++) await save(`Number ${n}`)
  const begin = () => {
    const id = randomUUID()
    const answer = portal.inject(saveDraft, { as: admin, params: { id }, body: bodyOf('At once') })
    return answer.then(({ statusCode }) => ({ id, statusCode }))
  }
  const begun = await Promise.all([begin(), begin(), begin()])
  expect(begun.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
  const refusedOne = begun.find(({ statusCode }) => statusCode === 409)
  const id = refusedOne?.id ?? ''
  const longer = { as: admin, params: { id }, body: bodyOf('Longer', 1) }
  expect((await portal.inject(saveDraft, longer)).statusCode).toBe(409)
  expect(await list()).toHaveLength(limits.draftsPerAdmin)
  expect((await portal.inject(getDraft, { as: admin, params: { id } })).statusCode).toBe(404)
})

it('a draft that nobody changes for 90 days is gone, and makes room', async () => {
  await save('Old')
  const day = 24 * 60 * 60_000
  const later = Date.now() + limits.draftDays * day + 1_000
  vi.useFakeTimers({ toFake: ['Date'], now: later })
  try {
    expect(await list()).toEqual([])
    await save('New')
    expect(await titles()).toEqual(['New'])
  } finally {
    vi.useRealTimers()
  }
  // It was removed, not only hidden.
  expect(await titles()).toEqual(['New'])
})

it('no text of a draft is stored in the clear, and the erasure of the account destroys all', async () => {
  const { _id: id } = await save('About Asha Rao')
  await portal.untilProjected()
  const { eventStore, readModel, vault } = portal.context
  const stored: unknown[] = []
  for await (const event of eventStore.read(`draft-${admin.userId}-${id}`)) stored.push(event)
  expect(stored).toHaveLength(1)
  const file = await portal.inject(downloadOwnData, { as: admin })
  expect(file.json()).toMatchObject({ drafts: [{ kind: 'message', title: 'About Asha Rao' }] })
  for (const partition of await readModel.partitions())
    stored.push([...(await readModel.rows('drafts', partition)).rows])
  expect(JSON.stringify(stored)).not.toContain('Asha')
  await vault.erase(admin.userId)
  expect(await list()).toEqual([])
  expect((await portal.inject(getDraft, { as: admin, params: { id } })).statusCode).toBe(404)
})

it('rejects what no client sends', async () => {
  const rows = [
    [{ body: { ...bodyOf('a'), kind: 'poem' } }, 'kind'],
    [
      { body: { ...bodyOf('a'), content: 'x'.repeat(limits.draftChars + 1) } },
      'content must be at most 200000 characters',
    ],
    [{ body: { ...bodyOf('a'), version: -1 } }, 'version'],
    [{ body: bodyOf('a'.repeat(limits.titleChars + 1)) }, 'title must be at most 200 characters'],
  ] as const
  for (const [call, message] of rows) {
    const answer = await portal.inject(saveDraft, { as: admin, params: { id: randomUUID() }, ...call })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(message)])
  }
})
