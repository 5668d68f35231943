import { expect, test } from 'vitest'
import { type UniversityId, universityIdSchema } from '../shared/ids.ts'
import {
  applyUniversityEvent,
  createCurrentUniversityName,
  type UniversityEvent,
  type UniversityNames,
} from './university-names.ts'

const [north, south] = [1, 2].map((n) => universityIdSchema.parse(`01980000-0000-7000-8000-00000000000${n}`))
if (!north || !south) throw new Error('two ids')

const added = (universityId: UniversityId, name: string): UniversityEvent => ({
  type: 'UniversityAdded',
  data: { universityId, name },
})
const renamed = (universityId: UniversityId, name: string): UniversityEvent => ({
  type: 'UniversityRenamed',
  data: { universityId, name },
})
const removed = (universityId: UniversityId): UniversityEvent => ({ type: 'UniversityRemoved', data: { universityId } })

const currentAfter = (...events: readonly UniversityEvent[]) => {
  const universities = new Map<UniversityId, UniversityNames>()
  for (const event of events) {
    const { universityId } = event.data
    const next = applyUniversityEvent(universities.get(universityId), event)
    if (next) universities.set(universityId, next)
  }
  return createCurrentUniversityName(universities)
}

test.each<[story: string, events: readonly UniversityEvent[], byName: string, byId: string]>([
  ['not renamed', [added(north, 'A')], 'A', 'A'],
  ['renamed', [added(north, 'A'), renamed(north, 'B')], 'B', 'B'],
  ['renamed twice', [added(north, 'A'), renamed(north, 'B'), renamed(north, 'C')], 'C', 'C'],
  ['renamed back', [added(north, 'A'), renamed(north, 'B'), renamed(north, 'A')], 'A', 'A'],
  ['renamed and removed', [added(north, 'A'), renamed(north, 'B'), removed(north)], 'B', 'B'],
  ['removed', [added(north, 'A'), removed(north)], 'A', 'A'],
  ['removed, and added again under its name', [added(north, 'A'), removed(north), added(south, 'A')], 'A', 'A'],
  [
    'removed, added again and renamed',
    [added(north, 'A'), removed(north), added(south, 'A'), renamed(south, 'B')],
    'B',
    'B',
  ],
  ['of an unknown list', [renamed(north, 'B')], 'A', 'A'],
  // Only the id tells them apart.
  ['renamed, and the name given to another', [added(north, 'A'), renamed(north, 'B'), added(south, 'A')], 'A', 'B'],
])('a learner of a university that was %s', (_, events, byName, byId) => {
  const currentName = currentAfter(...events)
  expect(currentName({ universityName: 'A' })).toBe(byName)
  expect(currentName({ universityName: 'A', universityId: north })).toBe(byId)
})

test('names are compared without regard to case, accents and repeated spaces', () => {
  const currentName = currentAfter(added(north, 'École  Nord'), renamed(north, 'Nordic'))
  expect(currentName({ universityName: 'ecole nord' })).toBe('Nordic')
  expect(currentName({ universityName: 'Elsewhere' })).toBe('Elsewhere')
})

test('a university keeps its last fifty former names', () => {
  const renames = Array.from({ length: 60 }, (_, n) => renamed(north, `Name ${n + 1}`))
  const currentName = currentAfter(added(north, 'Name 0'), ...renames)
  expect(currentName({ universityName: 'Name 10' })).toBe('Name 60')
  expect(currentName({ universityName: 'Name 9' })).toBe('Name 9')
  expect(currentName({ universityName: 'Name 9', universityId: north })).toBe('Name 60')
})
