import type { ProgramBody } from '@portal/contracts/catalog/program'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { bodyOf, factIdOf, factOf, programIdOf, programOf, toolIdOf, toolOf } from '@portal/catalog/testing/programs'
import {
  maxProgramBytes,
  type ProgramCommand,
  programDecider,
  type ProgramsState,
  programsStreamId,
  restorablePrograms,
} from './decider.ts'
import type { ProgramEvent } from './events.ts'
import type { ProgramContent } from './program-content.ts'

const { given } = specification(programDecider)

const [id, otherId] = [programIdOf(1), programIdOf(2)]
const removedAt = '2026-11-21T10:00:00.000Z'
const removedBy = userIdSchema.parse('01980000-0000-7000-8000-000000000001')

const added = (program = programOf(1)): ProgramEvent => ({
  type: 'ProgramAdded',
  data: { program: { revision: 1, ...program } },
})
const updated = (program = programOf(1)): ProgramEvent => ({
  type: 'ProgramUpdated',
  data: { program: { revision: 2, ...program } },
})
const removed = (programId = id, at = removedAt): ProgramEvent => ({
  type: 'ProgramRemoved',
  data: { programId, removedAt: at, removedBy },
})

/** New tools and facts get the ids 101, 102, … */
const contentOf = (body: Partial<ProgramBody> = {}): ProgramContent => {
  const whole = bodyOf(body)
  return {
    ...whole,
    toolkit: whole.toolkit.map((tool, n) => ({ ...tool, newId: toolIdOf(n + 101) })),
    facts: whole.facts.map((fact, n) => ({ ...fact, newId: factIdOf(n + 101) })),
  }
}

const stateAfter = (...events: readonly ProgramEvent[]): ProgramsState =>
  events.reduce<ProgramsState>((state, event) => programDecider.evolve(state, event), programDecider.initial)

const many = Array.from({ length: limits.programs }, (_, n) => added(programOf(n + 10, { programId: `C-${n}` })))

describe('adding a program', () => {
  const add = (body: Partial<ProgramBody> = {}): ProgramCommand => ({
    type: 'AddProgram',
    id: otherId,
    content: contentOf(body),
  })

  test("is recorded completely, with new ids for its tools and facts regardless of the form's ids", () => {
    const { _id: _tool, ...tool } = toolOf(1)
    const { _id: _fact, ...fact } = factOf(1)
    given([])
      .when(add({ toolkit: [{ ...tool, _id: '1766300000000' }], facts: [fact] }))
      .then([
        added(
          programOf(2, {
            programId: 'MIN-AI-01',
            toolkit: [{ ...tool, _id: toolIdOf(101) }],
            facts: [{ ...fact, _id: factIdOf(101) }],
          }),
        ),
      ])
  })

  test('[P-37] without a code generates an unused one', () => {
    given([added(programOf(1, { programId: 'min-ai-01' }))])
      .when(add())
      .then([added(programOf(2, { programId: 'MIN-AI-02' }))])
  })

  test('with a code keeps it as typed', () => {
    given([])
      .when(add({ programId: 'Ai minor' }))
      .then([added(programOf(2, { programId: 'Ai minor' }))])
  })

  test.each(['MIN-AI-01', 'min-ai-01', ' MIN-AI-01 '])(
    'with the code %j of another program is rejected',
    (programId) => {
      given([added()]).when(add({ programId })).thenRejected('code-taken')
    },
  )

  test('may reuse the code of a deleted or recoded program', () => {
    const program = programOf(2, { programId: 'MIN-AI-01' })
    given([added(), removed()])
      .when(add({ programId: 'MIN-AI-01' }))
      .then([added(program)])
    given([added(), updated(programOf(1, { programId: 'NEW' }))])
      .when(add({ programId: 'MIN-AI-01' }))
      .then([added(program)])
  })

  test('again with the same key changes nothing, even after later changes; with other content it is rejected', () => {
    const keyed: ProgramCommand = { type: 'AddProgram', id: otherId, content: contentOf(), fingerprint: 'a' }
    const once: ProgramEvent = {
      type: 'ProgramAdded',
      data: { program: programOf(2, { revision: 1 }), fingerprint: 'a' },
    }
    given([added()])
      .when(keyed)
      .then([{ type: 'ProgramAdded', data: { program: programOf(2, { revision: 1 }), fingerprint: 'a' } }])
    given([once]).when(keyed).thenNothing()
    given([once, updated(programOf(2, { programName: 'Renamed' })), ...many])
      .when(keyed)
      .thenNothing()
    given([once, removed(otherId)])
      .when(keyed)
      .thenNothing()
    given([once])
      .when({ ...keyed, fingerprint: 'b' })
      .thenRejected('added-with-other-content')
  })

  test('is limited in number', () => {
    given(many).when(add()).thenRejected('too-many')
    given([...many, removed(programIdOf(10))])
      .when(add())
      .then([added(programOf(2, { programId: 'MIN-AI-01' }))])
  })

  test('is rejected if it does not fit into one message', () => {
    const content = 'क'.repeat(limits.detailChars)
    const imageUrl = `/${'क'.repeat(limits.urlChars - 1)}`
    const facts = Array.from({ length: limits.factsPerProgram }, () => ({ content, imageUrl, highlight: '' }))
    expect(Buffer.byteLength(JSON.stringify(facts))).toBeGreaterThan(maxProgramBytes)
    given([]).when(add({ facts })).thenRejected('too-large')
  })

  test('with all tools and facts at maximum length is recorded', () => {
    const text = (chars: number) => 'x'.repeat(chars)
    const address = `/${text(limits.urlChars - 1)}`
    const toolkit = Array.from({ length: limits.toolsPerProgram }, () => ({
      name: text(limits.nameChars),
      logoUrl: address,
    }))
    const facts = Array.from({ length: limits.factsPerProgram }, () => ({
      content: text(limits.detailChars),
      imageUrl: address,
      highlight: text(limits.shortTextChars),
    }))
    const decided = programDecider.decide(
      add({ detail: text(limits.detailChars), toolkit, facts }),
      programDecider.initial,
    )
    expect(decided.ok).toBe(true)
  })
})

describe('updating a program', () => {
  const update = (body: Partial<ProgramBody> = {}) =>
    ({ type: 'UpdateProgram', id, content: contentOf(body) }) as const satisfies ProgramCommand

  test('replaces all fields', () => {
    given([added(programOf(1, { detail: 'Before', fee: '₹1', toolkit: [toolOf(1)] }))])
      .when(update({ programName: 'Minor in AI', detail: 'After' }))
      .then([updated(programOf(1, { programName: 'Minor in AI', detail: 'After' }))])
  })

  test('keeps the ids of existing tools and facts in any order, and gives new ones to the others', () => {
    const [first, second, fact] = [toolOf(1), toolOf(2), factOf(1)]
    given([added(programOf(1, { toolkit: [first, second], facts: [fact] }))])
      .when(
        update({
          toolkit: [{ ...second, name: 'Renamed' }, { ...toolOf(3), _id: '1766300000000' }, first],
          facts: [fact],
        }),
      )
      .then([
        updated(
          programOf(1, {
            toolkit: [{ ...second, name: 'Renamed' }, { ...toolOf(3), _id: toolIdOf(102) }, first],
            facts: [fact],
          }),
        ),
      ])
  })

  test('lets only one tool keep an id', () => {
    given([added(programOf(1, { toolkit: [toolOf(1)] }))])
      .when(update({ toolkit: [toolOf(1), toolOf(1)] }))
      .then([updated(programOf(1, { toolkit: [toolOf(1), { ...toolOf(1), _id: toolIdOf(102) }] }))])
  })

  test('takes no id from another program', () => {
    given([added(), added(programOf(2, { toolkit: [toolOf(1)] }))])
      .when(update({ toolkit: [toolOf(1)] }))
      .then([updated(programOf(1, { toolkit: [{ ...toolOf(1), _id: toolIdOf(101) }] }))])
  })

  test('without a code keeps the current one; with a code changes it', () => {
    given([added()])
      .when(update({ programId: 'AI-2027' }))
      .then([updated(programOf(1, { programId: 'AI-2027' }))])
    given([added(programOf(1, { programId: 'AI-2027' }))])
      .when(update({ detail: 'After' }))
      .then([updated(programOf(1, { programId: 'AI-2027', detail: 'After' }))])
  })

  test('to the code of another program is rejected; its own code may change case', () => {
    given([added(), added(programOf(2))])
      .when(update({ programId: 'min-ai-02' }))
      .thenRejected('code-taken')
    given([added()])
      .when(update({ programId: 'min-ai-01' }))
      .then([updated(programOf(1, { programId: 'min-ai-01' }))])
  })

  test('to identical content changes nothing', () => {
    given([added(programOf(1, { toolkit: [toolOf(1)], facts: [factOf(1)] }))])
      .when(update({ toolkit: [toolOf(1)], facts: [factOf(1)] }))
      .thenNothing()
  })

  describe('based on a revision', () => {
    const from = (basedOn: number): ProgramCommand => ({ ...update({ detail: 'After' }), basedOn })
    const after = (revision: number) => updated(programOf(1, { detail: 'After', revision }))

    test('is recorded if the program has not changed since', () => {
      given([added()])
        .when(from(1))
        .then([after(2)])
    })

    test('is rejected if the program has changed since; without a revision it is recorded', () => {
      const changed = [added(), updated(programOf(1, { toolkit: [toolOf(1)] }))]
      given(changed).when(from(1)).thenRejected('changed-since')
      given(changed)
        .when(update({ detail: 'After' }))
        .then([after(3)])
    })

    test('starts at revision 0 for a program that predates revisions', () => {
      const old: ProgramEvent = { type: 'ProgramAdded', data: { program: programOf(1) } }
      given([old])
        .when(from(0))
        .then([after(1)])
      given([old, after(1)])
        .when({ ...update({ detail: 'Other' }), basedOn: 0 })
        .thenRejected('changed-since')
    })

    test('changes nothing the second time', () => {
      given([added(), after(2)])
        .when(from(1))
        .thenNothing()
    })
  })

  test('of an unknown or deleted program is rejected', () => {
    given([]).when(update()).thenRejected('not-found')
    given([added(), removed()]).when(update()).thenRejected('not-found')
  })
})

describe('removing a program', () => {
  const remove: ProgramCommand = { type: 'RemoveProgram', id, removedAt, removedBy }

  test('is recorded', () => given([added()]).when(remove).then([removed()]))
  test('of an unknown program is rejected', () => given([]).when(remove).thenRejected('not-found'))
  test('again is rejected', () => given([added(), removed()]).when(remove).thenRejected('not-found'))
})

describe('restoring a program', () => {
  const lastMoment = '2026-11-22T10:00:00.000Z'
  const tooLate = '2026-11-22T10:00:00.001Z'
  const restore = (restoredAt = lastMoment): ProgramCommand => ({ type: 'RestoreProgram', id, restoredAt })
  const restored = (program = programOf(1)): ProgramEvent => ({
    type: 'ProgramRestored',
    data: { program: { revision: 1, ...program } },
  })

  test('brings it back as it was, with its revision', () => {
    const program = programOf(1, { revision: 2, toolkit: [toolOf(1)], facts: [factOf(1)] })
    given([added(), updated(program), removed()])
      .when(restore())
      .then([restored(program)])
  })

  test('works for a program that was deleted before deletions named the admin', () => {
    given([added(), { type: 'ProgramRemoved', data: { programId: id, removedAt } }])
      .when(restore())
      .then([restored()])
  })

  test('again, or where nothing was deleted, changes nothing', () => {
    given([added(), removed(), restored()]).when(restore()).thenNothing()
    given([added()]).when(restore()).thenNothing()
  })

  test('is possible again after another deletion', () => {
    given([added(), removed(), restored(), removed(id, tooLate)])
      .when(restore(tooLate))
      .then([restored()])
  })

  test('is rejected for an unknown program, and 24 hours after the deletion', () => {
    given([]).when(restore()).thenRejected('not-found')
    given([added(), removed()]).when(restore(tooLate)).thenRejected('restore-expired')
    given([added(), removed(), added(programOf(2)), removed(otherId, tooLate)])
      .when(restore())
      .thenRejected('restore-expired')
    // The last deletion counts.
    given([added(), removed(), restored(), removed(id, tooLate), added(programOf(2)), removed(otherId, tooLate)])
      .when(restore(lastMoment))
      .then([restored()])
  })

  test('is rejected while another program has its code, and where there is no room', () => {
    const other = added(programOf(2, { programId: 'min-ai-01' }))
    given([added(), removed(), other]).when(restore()).thenRejected('code-taken-meanwhile')
    given([added(), removed(), other, updated(programOf(2, { programId: 'AI-2' }))])
      .when(restore())
      .then([restored()])
    given([added(), removed(), ...many])
      .when(restore())
      .thenRejected('too-many')
  })

  test('lets it be changed, and frees no code', () => {
    const back = [added(), removed(), restored()]
    given(back)
      .when({ type: 'RemoveProgram', id, removedAt: tooLate, removedBy })
      .then([removed(id, tooLate)])
    given(back)
      .when({ type: 'AddProgram', id: otherId, content: contentOf({ programId: 'MIN-AI-01' }) })
      .thenRejected('code-taken')
  })

  test('is offered for 24 hours, the latest deletion first', () => {
    const offeredAt = (state: ProgramsState, at: string) =>
      restorablePrograms(state, at).map(({ program }) => program._id)
    const state = stateAfter(added(), added(programOf(2)), removed(), removed(otherId, '2026-11-21T11:00:00.000Z'))
    expect(offeredAt(state, lastMoment)).toEqual([otherId, id])
    expect(restorablePrograms(state, lastMoment)[1]).toEqual({
      program: programOf(1, { revision: 1 }),
      removedAt,
      removedBy,
    })
    expect(offeredAt(state, tooLate)).toEqual([otherId])
    expect(offeredAt(programDecider.evolve(state, restored(programOf(2))), lastMoment)).toEqual([id])
  })

  test('keeps a bounded number of deleted programs in memory, for a day', () => {
    const churn = many.flatMap((event, n) => [event, removed(programIdOf(n + 10))])
    expect(stateAfter(added(), removed(), ...churn).restorable.size).toBe(limits.programs)
    const day = stateAfter(added(), removed(), added(programOf(2)), removed(otherId, tooLate))
    expect([...day.restorable.keys()]).toEqual([otherId])
  })
})

describe('tools and facts', () => {
  const addTool: ProgramCommand = { type: 'AddTool', id, tool: toolOf(9) }
  const addFact: ProgramCommand = { type: 'AddFact', id, fact: factOf(9) }
  const removeTool: ProgramCommand = { type: 'RemoveTool', id, toolId: toolIdOf(1) }
  const removeFact: ProgramCommand = { type: 'RemoveFact', id, factId: factIdOf(1) }
  const full = programOf(1, {
    toolkit: Array.from({ length: limits.toolsPerProgram }, (_, n) => toolOf(n + 11)),
    facts: Array.from({ length: limits.factsPerProgram }, (_, n) => factOf(n + 11)),
  })

  test('are appended to the list', () => {
    const program = programOf(1, { toolkit: [toolOf(1)], facts: [factOf(1)] })
    given([added(program)])
      .when(addTool)
      .then([
        {
          type: 'ToolAdded',
          data: { toolId: toolIdOf(9), program: { ...program, revision: 2, toolkit: [toolOf(1), toolOf(9)] } },
        },
      ])
    given([added(program)])
      .when(addFact)
      .then([
        {
          type: 'FactAdded',
          data: { factId: factIdOf(9), program: { ...program, revision: 2, facts: [factOf(1), factOf(9)] } },
        },
      ])
  })

  test('are removed one by one', () => {
    const program = programOf(1, { toolkit: [toolOf(1), toolOf(2)], facts: [factOf(1), factOf(2)] })
    given([added(program)])
      .when(removeTool)
      .then([
        {
          type: 'ToolRemoved',
          data: { toolId: toolIdOf(1), program: { ...program, revision: 2, toolkit: [toolOf(2)] } },
        },
      ])
    given([added(program)])
      .when(removeFact)
      .then([
        {
          type: 'FactRemoved',
          data: { factId: factIdOf(1), program: { ...program, revision: 2, facts: [factOf(2)] } },
        },
      ])
  })

  test('are limited in number', () => {
    given([added(full)])
      .when(addTool)
      .thenRejected('too-many-tools')
    given([added(full)])
      .when(addFact)
      .thenRejected('too-many-facts')
  })

  test('with a known key change nothing, even at the limit; other content is rejected', () => {
    const there = {
      ...full,
      toolkit: [...full.toolkit.slice(1), toolOf(9)],
      facts: [...full.facts.slice(1), factOf(9)],
    }
    given([added(there)])
      .when(addTool)
      .thenNothing()
    given([added(there)])
      .when(addFact)
      .thenNothing()
    const otherwise = {
      ...there,
      toolkit: [{ ...toolOf(9), name: 'Other' }],
      facts: [{ ...factOf(9), content: 'Other' }],
    }
    given([added(otherwise)])
      .when(addTool)
      .thenRejected('key-used')
    given([added(otherwise)])
      .when(addFact)
      .thenRejected('key-used')
  })

  test('that the program does not have cannot be removed', () => {
    given([added()]).when(removeTool).thenRejected('tool-not-found')
    given([added()]).when(removeFact).thenRejected('fact-not-found')
  })

  test.each([addTool, addFact, removeTool, removeFact])('of an unknown program are rejected: $type', (command) => {
    given([]).when(command).thenRejected('not-found')
  })
})

describe('seed programs', () => {
  const addFirst: ProgramCommand = {
    type: 'SeedPrograms',
    programs: [programOf(1), programOf(2)],
  }

  test('are added to an empty catalog and to a non-empty one', () => {
    given([])
      .when(addFirst)
      .then([added(), added(programOf(2))])
    given([added(programOf(3))])
      .when(addFirst)
      .then([added(), added(programOf(2))])
  })

  test('are skipped if they exist, were deleted, or their code is taken', () => {
    given([added()])
      .when(addFirst)
      .then([added(programOf(2))])
    given([added(), removed()])
      .when(addFirst)
      .then([added(programOf(2))])
    given([added(programOf(3, { programId: 'MIN-AI-01' }))])
      .when(addFirst)
      .then([added(programOf(2))])
  })

  test('are added up to the limit', () => {
    given(many.slice(1)).when(addFirst).then([added()])
    given(many).when(addFirst).thenNothing()
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => programDecider.parse({ type: 'ProgramPainted', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => programDecider.parse({ type: 'ProgramAdded', data: { program: { programName: 'x' } } })).toThrow(
    ZodError,
  )
})

const addWith = (detail = '') =>
  ({
    type: 'AddProgram',
    id: otherId,
    content: { ...bodyOf(), detail, toolkit: [], facts: [] },
  }) as const satisfies ProgramCommand

const firstEventOf = (command: ProgramCommand): ProgramEvent => {
  const decided = programDecider.decide(command, programDecider.initial)
  const [event] = decided.ok ? decided.value : []
  if (!event) throw new Error('no decision yet')
  return event
}

describe('the fingerprint of a request', () => {
  test('is kept if the request had one', () => {
    expect([
      ...stateAfter({ type: 'ProgramAdded', data: { program: programOf(1), fingerprint: 'a' } }).fingerprints,
    ]).toEqual([[id, 'a']])
    expect([...stateAfter(added()).fingerprints]).toEqual([])
  })

  test('is recorded only if present', () => {
    expect(Object.keys(firstEventOf(addWith()).data)).toEqual(['program'])
    expect(Object.keys(firstEventOf({ ...addWith(), fingerprint: 'a' }).data)).toEqual(['program', 'fingerprint'])
  })
})

test('removes a tool or fact by its id, at any index', () => {
  const program = programOf(1, { toolkit: [toolOf(1), toolOf(2)], facts: [factOf(1), factOf(2)] })
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
  const event = firstEventOf(addWith())
  if (event.type !== 'ProgramAdded') throw new Error('no program was added')
  const room = maxProgramBytes - Buffer.byteLength(JSON.stringify(event.data.program))
  expect(programDecider.decide(addWith('x'.repeat(room)), programDecider.initial).ok).toBe(true)
  given([])
    .when(addWith('x'.repeat(room + 1)))
    .thenRejected('too-large')
})

test('keeps category and stream id as recorded', () => {
  expect(programDecider.category).toBe('program')
  expect(programsStreamId).toBe('catalogue')
})
