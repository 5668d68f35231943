import {
  addFact,
  addTool,
  createProgram,
  getAdminProgram,
  listAdminPrograms,
  removeFact,
  removeProgram,
  removeTool,
  updateProgram,
} from '@portal/contracts/catalog/http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'

let portal: Harness
beforeAll(async () => {
  portal = await startHarness()
})
afterAll(() => portal.stop())
afterEach(async () => expect(await portal.recorded()).toEqual([]))

const as = 'admin'
const id = programIdOf(1)
const programName = 'Minor in AI'
const tool = { name: 'Git', logoUrl: '/git.svg' }

describe('a program', () => {
  const semesterCountMessage = 'Semester count must be a whole number from 1 to 20'

  test.each([
    [{}, 'Program name is required'],
    [{ programName: '' }, 'Program name is required'],
    [{ programName: '   ' }, 'Program name is required'],
    [{ programName: '\u200B\u3164' }, 'Program name is required'],
    [{ programName: 42 }, 'Program name is required'],
    [{ programName: { $ne: '' } }, 'Program name is required'],
    [{ programName: 'x'.repeat(121) }, 'Program name must be at most 120 characters'],
    [{ programName: 'A\u0000I' }, 'Program name must not contain control characters'],
    [{ programName, semesterCount: 0 }, semesterCountMessage],
    [{ programName, semesterCount: -1 }, semesterCountMessage],
    [{ programName, semesterCount: 1.5 }, semesterCountMessage],
    [{ programName, semesterCount: 21 }, semesterCountMessage],
    [{ programName, semesterCount: '3' }, semesterCountMessage],
    [{ programName, fee: 45_000 }, 'Fee must be text'],
    [{ programName, detail: 'x'.repeat(5_001) }, 'Detail must be at most 5000 characters'],
    [{ programName, toolkit: [{ name: '', logoUrl: '/git.svg' }] }, 'Tool name and logo URL are required'],
    [{ programName, toolkit: Array.from({ length: 51 }, () => tool) }, 'A program can have at most 50 tools'],
    [{ programName, facts: [{ content: '' }] }, 'Fact content is required'],
    [
      { programName, facts: Array.from({ length: 51 }, () => ({ content: 'x' })) },
      'A program can have at most 50 facts',
    ],
    [
      { programName, semesters: Array.from({ length: 21 }, () => ({ fee: '1' })) },
      'A program can have at most 20 semesters',
    ],
    [[], 'The request body must be a JSON object'],
  ])('[P-38 P-39 P-52 P-53] %#: %j', async (body, message) => {
    const invalid = { status: 400, code: 'invalid', message }
    expect(await portal.refuse(createProgram, { as, body })).toMatchObject(invalid)
    expect(await portal.refuse(updateProgram, { as, id, body })).toMatchObject(invalid)
  })

  test('rejects one that is too large', async () => {
    const body = { programName, detail: 'x'.repeat(1024 * 1024) }
    const large = { status: 413, code: 'payload-too-large' }
    expect(await portal.refuse(createProgram, { as, body })).toMatchObject(large)
  })
})

describe('a tool', () => {
  test.each([
    [{}, 'Tool name and logo URL are required'],
    [{ name: 'Git' }, 'Tool name and logo URL are required'],
    [{ logoUrl: '/git.svg' }, 'Tool name and logo URL are required'],
    [{ name: 'Git', logoUrl: 'http://cdn.example/git.svg' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: 'javascript:alert(1)' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: '//elsewhere.example/git.svg' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: 'data:image/svg+xml,<svg/>' }, 'Logo URL must start with https:// or /'],
  ])('[P-54] %j', async (body, message) => {
    expect(await portal.refuse(addTool, { as, id, body })).toMatchObject({ status: 400, code: 'invalid', message })
  })
})

describe('a fact', () => {
  test.each([
    [{}, 'Fact content is required'],
    [{ content: '  ' }, 'Fact content is required'],
    [{ content: 'x', imageUrl: 'http://cdn.example/1.png' }, 'Image URL must start with https:// or /'],
    [{ content: 'x', imageUrl: 'javascript:alert(1)' }, 'Image URL must start with https:// or /'],
    [{ content: 'x', highlight: 'x'.repeat(201) }, 'Highlight must be at most 200 characters'],
  ])('[P-55] %j', async (body, message) => {
    expect(await portal.refuse(addFact, { as, id, body })).toMatchObject({ status: 400, code: 'invalid', message })
  })
})

test('rejects a revision that is not a number', async () => {
  const body = { programName, revision: '1' }
  const refusal = { status: 400, code: 'invalid', message: 'Revision must be a whole number' }
  expect(await portal.refuse(updateProgram, { as, id, body })).toMatchObject(refusal)
})

test.each([
  listAdminPrograms,
  getAdminProgram,
  createProgram,
  updateProgram,
  removeProgram,
  addTool,
  removeTool,
  addFact,
  removeFact,
])('[G-43] rejects $method $path from a non-admin', async (route) => {
  const call = { id, itemId: programIdOf(2), ...(route.method === 'GET' ? {} : { body: { programName } }) }
  expect(await portal.refuse(route, call)).toMatchObject({ status: 401, code: 'unauthenticated' })
  for (const role of ['student', 'faculty'] as const) {
    expect(await portal.refuse(route, { ...call, as: role })).toMatchObject({ status: 403, code: 'forbidden' })
  }
})
