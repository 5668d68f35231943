import { listDeletedPrograms, restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import {
  addFact,
  addTool,
  createProgram,
  getAdminProgram,
  getProgram,
  listAdminPrograms,
  listPrograms,
  removeFact,
  removeProgram,
  removeTool,
  updateProgram,
} from '@portal/contracts/catalog/http'
import { limits } from '@portal/contracts/shared/rules'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callerId, type Harness, startHarness } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
})
afterEach(() => portal.stop())

const as = 'admin'
const notFound = { status: 404, code: 'not-found', message: 'Program not found' }
const pytorch = { name: 'PyTorch', logoUrl: '/media/tools/pytorch.svg' }
const fact = { content: 'Three deployed projects', imageUrl: 'https://cdn.example/1.png', highlight: 'Three' }

const create = async (body: object = { programName: 'Minor in AI' }) =>
  (await portal.call(createProgram, { as, body })).data

describe('creating a program', () => {
  test('[P-37 P-57 P-62 P-63 P-64 P-89 Y-6 Y-10] returns it completely, and everyone sees it at once', async () => {
    const answer = await portal.call(createProgram, {
      as,
      body: { programName: '  Minor in AI ', fee: '₹45,000', toolkit: [pytorch], facts: [fact] },
    })
    expect(answer).toMatchObject({ success: true, message: 'Program created successfully' })
    expect(answer.data).toEqual({
      _id: answer.data._id,
      revision: 1,
      programId: 'MIN-AI-01',
      programName: 'Minor in AI',
      detail: '',
      semesterCount: 3,
      fee: '₹45,000',
      collegeName: '',
      eligibility: '',
      semesters: [],
      enrollmentDetails: { fee: '1000' },
      toolkit: [{ _id: answer.data.toolkit[0]?._id, ...pytorch }],
      facts: [{ _id: answer.data.facts[0]?._id, ...fact }],
    })
    expect(await portal.call(listPrograms)).toEqual([answer.data])
    expect(await portal.call(listAdminPrograms, { as })).toEqual({ success: true, data: [answer.data] })
    const alone = { success: true, data: answer.data }
    expect(await portal.call(getProgram, { id: answer.data._id })).toEqual(alone)
    expect(await portal.call(getAdminProgram, { as, id: answer.data._id })).toEqual(alone)
  })

  test('[P-39] accepts any text as the fee', async () => {
    const fees = ['₹45,000', 'Rs 1,05,000 in three parts', '999.50', 'On request', '']
    const kept = []
    for (const fee of fees) kept.push((await create({ programName: 'AI', fee })).fee)
    expect(kept).toEqual(fees)
  })

  test('without a registration fee uses the default, and keeps an explicitly empty one', async () => {
    for (const given of [{}, { enrollmentDetails: {} }])
      expect((await create({ programName: 'AI', ...given })).enrollmentDetails).toEqual({ fee: '1000' })
    const program = await create({ programName: 'AI', enrollmentDetails: { fee: '' } })
    expect(program.enrollmentDetails).toEqual({ fee: '' })
  })

  test('with a code of invisible characters generates one', async () => {
    expect((await create({ programName: 'AI', programId: '\u200B' })).programId).toBe('AI-01')
  })

  test('with a code that is taken is rejected', async () => {
    await create({ programName: 'Minor in AI', programId: 'AI-1' })
    const other = await create({ programName: 'Another' })
    const taken = { status: 409, code: 'conflict', message: 'A program with this Program ID already exists' }
    const body = { programName: 'Third', programId: 'ai-1' }
    expect(await portal.refuse(createProgram, { as, body })).toMatchObject(taken)
    expect(await portal.refuse(updateProgram, { as, id: other._id, body })).toMatchObject(taken)
    expect(await portal.call(listPrograms)).toHaveLength(2)
  })

  test('many times at once creates all of them, each with its own code', async () => {
    await Promise.all(Array.from({ length: 20 }, () => create()))
    const codes = (await portal.call(listPrograms)).map(({ programId }) => programId)
    expect(codes).toEqual(Array.from({ length: 20 }, (_, n) => `MIN-AI-${String(n + 1).padStart(2, '0')}`))
  })

  test('records the actor', async () => {
    const program = await create()
    expect(await portal.recorded()).toEqual([{ type: 'ProgramAdded', data: { program }, actorId: callerId }])
  })
})

describe('with an Idempotency-Key', () => {
  const key = 'form-1'
  const body = { programName: 'Minor in AI', toolkit: [{ ...pytorch, _id: '1766300000000' }] }

  test('creates a program once across retries and processes', async () => {
    const two = await startHarness({ processes: 2 })
    try {
      const tries = await Promise.all(Array.from({ length: 6 }, () => two.call(createProgram, { as, key, body })))
      const again = await two.call(createProgram, { as, key, body })
      expect(new Set([...tries, again].map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await two.call(listPrograms)).toEqual([again.data])
    } finally {
      await two.stop()
    }
  })

  test('rejects another program; another key creates another program', async () => {
    const first = await portal.call(createProgram, { as, key, body })
    const refusal = {
      status: 409,
      code: 'conflict',
      message: 'An earlier attempt created this program with different content. Open it in the list to edit it.',
    }
    const other = { ...body, programName: 'Minor in DS' }
    expect(await portal.refuse(createProgram, { as, key, body: other })).toMatchObject(refusal)
    const second = await portal.call(createProgram, { as, key: 'form-2', body })
    expect(await portal.call(listPrograms)).toEqual([first.data, second.data])
  })

  test('does not use up the key on a rejected attempt', async () => {
    await create({ programName: 'Other', programId: 'AI-1' })
    await portal.refuse(createProgram, { as, key, body: { ...body, programId: 'AI-1' } })
    expect((await portal.call(createProgram, { as, key, body })).data.programId).toBe('MIN-AI-01')
  })

  test('does not recreate a program that was deleted before the retry', async () => {
    const { data } = await portal.call(createProgram, { as, key, body })
    await portal.call(removeProgram, { as, id: data._id })
    expect(await portal.refuse(createProgram, { as, key, body })).toMatchObject(notFound)
    expect(await portal.call(listPrograms)).toEqual([])
  })

  test('adds a tool and a fact once, and rejects others with the same key', async () => {
    const { _id: id } = await create()
    const tools = await portal.call(addTool, { as, id, key, body: pytorch })
    expect(await portal.call(addTool, { as, id, key, body: pytorch })).toEqual(tools)
    const facts = await portal.call(addFact, { as, id, key, body: fact })
    expect(await portal.call(addFact, { as, id, key, body: fact })).toEqual(facts)
    expect([tools.data.toolkit.length, facts.data.facts.length]).toEqual([1, 1])
    const used = { status: 409, code: 'conflict', message: 'This Idempotency-Key was used for another tool or fact' }
    expect(await portal.refuse(addTool, { as, id, key, body: { ...pytorch, name: 'Git' } })).toMatchObject(used)
    expect(await portal.refuse(addFact, { as, id, key, body: { content: 'Other' } })).toMatchObject(used)
    expect((await portal.call(addTool, { as, id, key: 'form-2', body: pytorch })).data.toolkit).toHaveLength(2)
  })
})

describe('updating a program', () => {
  test('[P-65] replaces all fields and keeps the code and existing ids', async () => {
    const before = await create({ programName: 'Minor in AI', detail: 'Before', toolkit: [pytorch], facts: [fact] })
    const [tool] = before.toolkit
    const body = { programName: 'Minor in ML', toolkit: [{ name: 'Git', logoUrl: '/git.svg', _id: '17663' }, tool] }
    const answer = await portal.call(updateProgram, { as, id: before._id, body })
    expect(answer).toMatchObject({ success: true, message: 'Program updated successfully' })
    expect(answer.data).toMatchObject({
      _id: before._id,
      programId: 'MIN-AI-01',
      programName: 'Minor in ML',
      detail: '',
    })
    expect(answer.data.toolkit[1]).toEqual(tool)
    expect(answer.data.toolkit[0]?._id).not.toBe('17663')
    expect(answer.data.facts).toEqual([])
    expect(await portal.call(listPrograms)).toEqual([answer.data])
  })

  test("based on a revision is rejected after another admin's change", async () => {
    const { _id: id, revision } = await create()
    await portal.call(addTool, { as, id, body: pytorch })
    const stale = {
      status: 409,
      code: 'conflict',
      message: 'Someone else has changed this program since you opened it',
      errors: { revision: 'The program has changed since' },
    }
    expect(
      await portal.refuse(updateProgram, { as, id, body: { programName: 'Minor in ML', revision } }),
    ).toMatchObject(stale)
    const { data } = await portal.call(getAdminProgram, { as, id })
    expect(data.toolkit).toMatchObject([pytorch])
    const body = { ...data, programName: 'Minor in ML' }
    expect((await portal.call(updateProgram, { as, id, body })).data).toEqual({ ...body, revision: 3 })
  })
})

test('[P-58 P-66] a deleted program is gone for everyone, and its code is free', async () => {
  const { _id: id, programId } = await create()
  const answer = await portal.call(removeProgram, { as, id })
  expect(answer).toEqual({ success: true, message: 'Program deleted successfully' })
  expect(await portal.call(listPrograms)).toEqual([])
  expect(await portal.refuse(getProgram, { id })).toMatchObject(notFound)
  expect(await portal.refuse(getAdminProgram, { as, id })).toMatchObject(notFound)
  expect((await create({ programName: 'Another', programId })).programId).toBe(programId)
})

describe('restoring a deleted program', () => {
  const remove = (id: string) => portal.call(removeProgram, { as, id })
  const restore = (id: string) => portal.call(restoreProgram, { as, id })
  const deleted = async () => (await portal.call(listDeletedPrograms, { as })).data

  test('[P-93] brings it back with its id and contents, last in the list, and records the actor', async () => {
    const program = await create({ programName: 'Minor in AI', toolkit: [pytorch], facts: [fact] })
    const other = await create({ programName: 'Minor in DS' })
    await remove(program._id)
    const back = { success: true, message: 'Program restored successfully', data: program }
    expect(await restore(program._id)).toEqual(back)
    expect(await portal.call(listPrograms)).toEqual([other, program])
    expect(await portal.call(getProgram, { id: program._id })).toEqual({ success: true, data: program })
    const restored = { type: 'ProgramRestored', data: { program }, actorId: callerId }
    expect((await portal.recorded()).at(-1)).toEqual(restored)

    expect(await restore(program._id)).toEqual(back)
    expect((await portal.recorded()).filter(({ type }) => type === 'ProgramRestored')).toHaveLength(1)
    expect(portal.securityLog.events.at(-1)).toMatchObject({ event: 'program-changed', target: program._id })
    const { serving, rebuilt } = await portal.digests()
    expect(rebuilt).toEqual(serving)
  })

  test('is offered with when it was deleted and by whom, in every process', async () => {
    const two = await startHarness({ processes: 2 })
    try {
      const add = (programName: string) => two.call(createProgram, { as, body: { programName } })
      const [{ data: first }, { data: second }] = [await add('Minor in AI'), await add('Minor in DS')]
      const list = async () => (await two.call(listDeletedPrograms, { as })).data
      expect([await list(), await list()]).toEqual([[], []])
      for (const { _id: id } of [first, second]) await two.call(removeProgram, { as, id })
      const [latest, earlier] = await list()
      expect(await list()).toEqual([latest, earlier])
      const { _id, programId, programName } = second
      expect(latest).toEqual({ _id, programId, programName, deletedBy: callerId, ...timesOf(latest?.deletedAt) })
      expect(earlier).toMatchObject({ _id: first._id })
      await two.call(restoreProgram, { as, id: second._id })
      expect([await list(), await list()]).toEqual([[earlier], [earlier]])
    } finally {
      await two.stop()
    }
  })

  const timesOf = (deletedAt = '') => ({
    deletedAt,
    restorableUntil: new Date(Date.parse(deletedAt) + 86_400_000).toISOString(),
  })

  test('is rejected while another program has its code', async () => {
    const program = await create({ programName: 'Minor in AI', programId: 'AI-1' })
    await remove(program._id)
    const other = await create({ programName: 'Another', programId: 'ai-1' })
    expect(await portal.refuse(restoreProgram, { as, id: program._id })).toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'Another program has this Program ID now. Change its Program ID, then restore this program.',
    })
    expect(await deleted()).toHaveLength(1)
    const body = { programName: 'Another', programId: 'AI-2' }
    await portal.call(updateProgram, { as, id: other._id, body })
    expect((await restore(program._id)).data).toEqual(program)
  })

  test('is rejected 24 hours after the deletion', async () => {
    let now = new Date('2026-11-21T10:00:00.000Z')
    const later = await startHarness({ now: () => now })
    try {
      const { _id: id } = (await later.call(createProgram, { as, body: { programName: 'Minor in AI' } })).data
      await later.call(removeProgram, { as, id })
      now = new Date('2026-11-22T10:00:00.001Z')
      expect(await later.refuse(restoreProgram, { as, id })).toMatchObject({
        status: 409,
        code: 'conflict',
        message: 'This program can no longer be restored. That is possible for 24 hours after its deletion.',
      })
      expect((await later.call(listDeletedPrograms, { as })).data).toEqual([])
      now = new Date('2026-11-22T10:00:00.000Z')
      expect((await later.call(restoreProgram, { as, id })).data._id).toBe(id)
    } finally {
      await later.stop()
    }
  })
})

describe('tools and facts', () => {
  test('[P-42 P-44 P-67 P-69] are added one by one, and the response has all of them', async () => {
    const { _id: id } = await create()
    const first = await portal.call(addTool, { as, id, body: pytorch })
    expect(first).toMatchObject({ success: true, message: 'Tool added successfully', data: { toolkit: [pytorch] } })
    const second = await portal.call(addTool, { as, id, body: { name: 'Git', logoUrl: '/git.svg' } })
    expect(second.data.toolkit.map(({ name }) => name)).toEqual(['PyTorch', 'Git'])
    const facts = await portal.call(addFact, { as, id, body: { content: 'Live classes' } })
    expect(facts).toMatchObject({ message: 'Fact added successfully' })
    expect(facts.data.facts).toMatchObject([{ content: 'Live classes', imageUrl: '', highlight: '' }])
    const { data } = await portal.call(getProgram, { id })
    expect(data).toMatchObject({ toolkit: second.data.toolkit, facts: facts.data.facts })
  })

  test('[P-68 P-70] are removed one by one, and the response has the rest', async () => {
    const program = await create({ programName: 'AI', toolkit: [pytorch, pytorch], facts: [fact, fact] })
    const id = program._id
    const tool = await portal.call(removeTool, { as, id, itemId: program.toolkit[0]?._id ?? '' })
    expect(tool).toEqual({
      success: true,
      message: 'Tool removed successfully',
      data: { toolkit: [program.toolkit[1]], revision: 2 },
    })
    const left = await portal.call(removeFact, { as, id, itemId: program.facts[1]?._id ?? '' })
    expect(left).toEqual({
      success: true,
      message: 'Fact removed successfully',
      data: { facts: [program.facts[0]], revision: 3 },
    })
  })

  test('that the program does not have are not found', async () => {
    const { _id: id } = await create()
    const gone = { status: 404, code: 'not-found' }
    for (const itemId of [programIdOf(9), 'nope']) {
      expect(await portal.refuse(removeTool, { as, id, itemId })).toMatchObject({ ...gone, message: 'Tool not found' })
      expect(await portal.refuse(removeFact, { as, id, itemId })).toMatchObject({ ...gone, message: 'Fact not found' })
    }
  })

  test('are limited in number', async () => {
    const all = <T>(item: T, length: number) => Array.from({ length }, () => item)
    const { _id: id } = await create({
      programName: 'AI',
      toolkit: all(pytorch, limits.toolsPerProgram),
      facts: all(fact, limits.factsPerProgram),
    })
    const full = { status: 409, code: 'conflict' }
    const tools = { ...full, message: 'A program can have at most 50 tools' }
    expect(await portal.refuse(addTool, { as, id, body: pytorch })).toMatchObject(tools)
    const facts = { ...full, message: 'A program can have at most 50 facts' }
    expect(await portal.refuse(addFact, { as, id, body: fact })).toMatchObject(facts)
  })
})

test('[P-58] returns 404 for an unknown program on every route', async () => {
  for (const id of [programIdOf(9), 'nope', '1', '../admin', "' OR 1=1 --", '[object Object]']) {
    expect(await portal.refuse(getProgram, { id })).toMatchObject(notFound)
    expect(await portal.refuse(getAdminProgram, { as, id })).toMatchObject(notFound)
    expect(await portal.refuse(removeProgram, { as, id })).toMatchObject(notFound)
    expect(await portal.refuse(restoreProgram, { as, id })).toMatchObject(notFound)
    expect(await portal.refuse(updateProgram, { as, id, body: { programName: 'AI' } })).toMatchObject(notFound)
    expect(await portal.refuse(addTool, { as, id, body: pytorch })).toMatchObject(notFound)
    expect(await portal.refuse(addFact, { as, id, body: fact })).toMatchObject(notFound)
    expect(await portal.refuse(removeTool, { as, id, itemId: programIdOf(1) })).toMatchObject(notFound)
    expect(await portal.refuse(removeFact, { as, id, itemId: programIdOf(1) })).toMatchObject(notFound)
    expect(await portal.recorded()).toEqual([])
  }
})
