import { bodyOf, factIdOf, factOf, programIdOf, programOf, toolIdOf, toolOf } from '@portal/catalog/testing/programs'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, test } from 'vitest'
import {
  maxProgramBytes,
  type ProgramCommand,
  programDecider,
  type ProgramsState,
  programsStreamId,
} from './decider.ts'
import type { ProgramEvent } from './events.ts'

const { given } = specification(programDecider)

const added = (program = programOf(1), fingerprint?: string): ProgramEvent => ({
  type: 'ProgramAdded',
  data: { program: { revision: 1, ...program }, ...(fingerprint === undefined ? {} : { fingerprint }) },
})
const after = (...events: readonly ProgramEvent[]): ProgramsState =>
  events.reduce<ProgramsState>((state, event) => programDecider.evolve(state, event), programDecider.initial)

const add = (detail = '') =>
  ({
    type: 'AddProgram',
    id: programIdOf(2),
    content: { ...bodyOf(), detail, toolkit: [], facts: [] },
  }) as const satisfies ProgramCommand

const firstEventOf = (command: ProgramCommand): ProgramEvent => {
  const decided = programDecider.decide(command, programDecider.initial)
  const [event] = decided.ok ? decided.value : []
  if (!event) throw new Error('no decision yet')
  return event
}

test('keeps category and stream id as recorded', () => {
  expect(programDecider.category).toBe('program')
  expect(programsStreamId).toBe('catalogue')
})

describe('the fingerprint of a request', () => {
  test('is kept if the request had one', () => {
    expect([...after(added(programOf(1), 'a')).fingerprints]).toEqual([[programIdOf(1), 'a']])
    expect([...after(added()).fingerprints]).toEqual([])
  })

  test('is recorded only if present', () => {
    expect(Object.keys(firstEventOf(add()).data)).toEqual(['program'])
    expect(Object.keys(firstEventOf({ ...add(), fingerprint: 'a' }).data)).toEqual(['program', 'fingerprint'])
  })
})

test('removes a tool or fact by its id, at any index', () => {
  const program = programOf(1, { toolkit: [toolOf(1), toolOf(2)], facts: [factOf(1), factOf(2)] })
  const id = programIdOf(1)
  given([added(program)])
    .when({ type: 'RemoveTool', id, toolId: toolIdOf(2) })
    .then([
      {
        type: 'ToolRemoved',
        data: { toolId: toolIdOf(2), program: { ...program, revision: 2, toolkit: [toolOf(1)] } },
      },
    ])
  given([added(program)])
    .when({ type: 'RemoveFact', id, factId: factIdOf(2) })
    .then([
      { type: 'FactRemoved', data: { factId: factIdOf(2), program: { ...program, revision: 2, facts: [factOf(1)] } } },
    ])
})

test('records a program that just fits into one message, and rejects one more byte', () => {
  const event = firstEventOf(add())
  if (event.type !== 'ProgramAdded') throw new Error('no program was added')
  const room = maxProgramBytes - Buffer.byteLength(JSON.stringify(event.data.program))
  expect(programDecider.decide(add('x'.repeat(room)), programDecider.initial).ok).toBe(true)
  given([])
    .when(add('x'.repeat(room + 1)))
    .thenRejected('too-large')
})
