import { universityIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import {
  maxUniversities,
  type UniversitiesState,
  universitiesStreamId,
  type UniversityCommand,
  universityDecider,
} from './decider.ts'
import type { UniversityEvent } from './events.ts'

const idOf = (n: number) => universityIdSchema.parse(`01980000-0000-7000-8000-${String(n).padStart(12, '0')}`)
const [first, second] = [idOf(1), idOf(2)]

const added = (universityId = first, name = 'Northfield'): UniversityEvent => ({
  type: 'UniversityAdded',
  data: { universityId, name },
})
const renamed = (universityId = first, name = 'Northfield'): UniversityEvent => ({
  type: 'UniversityRenamed',
  data: { universityId, name },
})
const removed = (universityId = first): UniversityEvent => ({ type: 'UniversityRemoved', data: { universityId } })

const { given } = specification(universityDecider)

describe('adding a university', () => {
  const add = (name: string): UniversityCommand => ({ type: 'AddUniversity', universityId: second, name })

  test('is recorded', () => {
    given([added()])
      .when(add('Southfield'))
      .then([added(second, 'Southfield')])
  })

  test.each(['Northfield', 'northfield', 'NORTHFIELD', 'Ｎorthfield'])('rejects %s because of Northfield', (name) => {
    given([added()]).when(add(name)).thenRejected('name-taken')
  })

  test('ignores extra spaces', () => {
    given([added(first, 'North  Field')])
      .when(add('north field'))
      .thenRejected('name-taken')
  })

  test.each(['Northfield\u200B', '\uFEFFNorth\u00ADfield', 'North\u2060field \u3164'])(
    'ignores invisible characters: %j',
    (name) => {
      given([added()]).when(add(name)).thenRejected('name-taken')
    },
  )

  test('may reuse a name after its university was removed or renamed', () => {
    given([added(), removed()])
      .when(add('Northfield'))
      .then([added(second, 'Northfield')])
    given([added(), renamed(first, 'Southfield')])
      .when(add('Northfield'))
      .then([added(second, 'Northfield')])
    given([added(), renamed(first, 'Southfield')])
      .when(add('southfield'))
      .thenRejected('name-taken')
  })

  test('is limited in number', () => {
    const all = Array.from({ length: maxUniversities }, (_, n) => added(idOf(n + 10), `University ${n}`))
    given(all).when(add('One more')).thenRejected('too-many')
    given(all.slice(1))
      .when(add('One more'))
      .then([added(second, 'One more')])
  })
})

describe('renaming a university', () => {
  const rename = (name: string): UniversityCommand => ({ type: 'RenameUniversity', universityId: first, name })

  test('is recorded', () => {
    given([added()])
      .when(rename('Southfield'))
      .then([renamed(first, 'Southfield')])
  })

  test('to the name of another university is rejected', () => {
    given([added(), added(second, 'Southfield')])
      .when(rename('SOUTHFIELD'))
      .thenRejected('name-taken')
  })

  test('may change the case of its own name', () => {
    given([added()])
      .when(rename('NorthField'))
      .then([renamed(first, 'NorthField')])
  })

  test('to the same name changes nothing', () => given([added()]).when(rename('Northfield')).thenNothing())
  test('of an unknown university is rejected', () => given([]).when(rename('Northfield')).thenRejected('not-found'))
  test('of a removed university is rejected', () =>
    given([added(), removed()]).when(rename('Southfield')).thenRejected('not-found'))
})

describe('removing a university', () => {
  const remove: UniversityCommand = { type: 'RemoveUniversity', universityId: first }

  test('is recorded', () => given([added()]).when(remove).then([removed()]))
  test('of an unknown university is rejected', () =>
    given([added(second)])
      .when(remove)
      .thenRejected('not-found'))
  test('again is rejected', () => given([added(), removed()]).when(remove).thenRejected('not-found'))
})

describe('seed universities', () => {
  const addFirst: UniversityCommand = {
    type: 'SeedUniversities',
    universities: [
      { universityId: first, name: 'Northfield' },
      { universityId: second, name: 'Southfield' },
    ],
  }

  test('are added to an empty catalog', () => {
    given([])
      .when(addFirst)
      .then([added(), added(second, 'Southfield')])
  })

  test('are not added again once anything was recorded', () => {
    given([added(), removed()]).when(addFirst).thenNothing()
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => universityDecider.parse({ type: 'UniversityMerged', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => universityDecider.parse({ type: 'UniversityAdded', data: { name: 'x' } })).toThrow(ZodError)
})

test('never gives two universities the same name', () => {
  const names = fc.constantFrom('A', 'a', 'B', 'b', ' B', 'C', 'Ａ')
  const ids = fc.integer({ min: 1, max: 4 }).map(idOf)
  const commands = fc.oneof(
    fc.record({ type: fc.constant('AddUniversity' as const), universityId: ids, name: names }),
    fc.record({ type: fc.constant('RenameUniversity' as const), universityId: ids, name: names }),
    fc.record({ type: fc.constant('RemoveUniversity' as const), universityId: ids }),
  )
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 60 }), (script) => {
      let state: UniversitiesState = universityDecider.initial
      for (const command of script) {
        const decided = universityDecider.decide(command, state)
        for (const event of decided.ok ? decided.value : []) state = universityDecider.evolve(state, event)
        const keys = [...state.names.values()].map((name) => name.normalize('NFKC').toLowerCase().trim())
        expect(new Set(keys).size).toBe(keys.length)
      }
    }),
  )
})

test('keeps the category in the name of every stream', () => {
  expect(universityDecider.category).toBe('university')
  expect(universitiesStreamId).toBe('directory')
})
