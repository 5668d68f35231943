import { addFact, addTool, createProgram, updateProgram } from '@portal/contracts/catalog/http'
import type { AnyRoute } from '@portal/contracts/shared/route'
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

const expectRefusals = async (route: AnyRoute, rows: Parameters<Harness['refusals']>[1]) =>
  expect(await portal.refusals(route, rows, { as, id })).toEqual(rows)

describe('a program', () => {
  const semesterCountMessage = 'Semester count must be a whole number from 1 to 20'

  test('[P-38 P-39 P-52 P-53] is rejected if it is not valid, new or changed', async () => {
    const rows = [
      [{}, 'Program name is required'],
      [{ programName: '' }, 'Program name is required'],
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
    ] as const
    await expectRefusals(createProgram, rows)
    await expectRefusals(updateProgram, rows)
  })

  test('rejects one that is too large', async () => {
    const body = { programName, detail: 'x'.repeat(1024 * 1024) }
    const large = { status: 413, code: 'payload-too-large' }
    expect(await portal.refuse(createProgram, { as, body })).toMatchObject(large)
  })
})

test('[P-54] a tool needs a name and a logo on the portal or at an https address', () =>
  expectRefusals(addTool, [
    [{}, 'Tool name and logo URL are required'],
    [{ name: 'Git' }, 'Tool name and logo URL are required'],
    [{ logoUrl: '/git.svg' }, 'Tool name and logo URL are required'],
    [{ name: 'Git', logoUrl: 'http://cdn.example/git.svg' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: 'javascript:alert(1)' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: '//elsewhere.example/git.svg' }, 'Logo URL must start with https:// or /'],
    [{ name: 'Git', logoUrl: 'data:image/svg+xml,<svg/>' }, 'Logo URL must start with https:// or /'],
    [
      { name: 'Git', logoUrl: 'https://asha:secret@cdn.example/1' },
      'Logo URL must not contain a user name or password',
    ],
  ]))

test('[P-55] a fact needs content, and a picture on the portal or at an https address', () =>
  expectRefusals(addFact, [
    [{}, 'Fact content is required'],
    [{ content: '  ' }, 'Fact content is required'],
    [{ content: 'x', imageUrl: 'http://cdn.example/1.png' }, 'Image URL must start with https:// or /'],
    [{ content: 'x', imageUrl: 'javascript:alert(1)' }, 'Image URL must start with https:// or /'],
    [{ content: 'x', imageUrl: 'https://asha@cdn.example/1' }, 'Image URL must not contain a user name or password'],
    [{ content: 'x', highlight: 'x'.repeat(201) }, 'Highlight must be at most 200 characters'],
  ]))

test('rejects a revision that is not a number', async () => {
  const body = { programName, revision: '1' }
  const refusal = { status: 400, code: 'invalid', message: 'Revision must be a whole number' }
  expect(await portal.refuse(updateProgram, { as, id, body })).toMatchObject(refusal)
})
