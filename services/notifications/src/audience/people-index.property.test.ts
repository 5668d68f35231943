import { allBucketKeys } from '@portal/contracts/shared/buckets'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { authPublisher, catalogPublisher, profileAt, registered } from '@portal/notifications/testing/people'
import { createPlainVault, plainProfile } from '@portal/notifications/testing/plain-vault'
import { enrolledIn } from '@portal/notifications/testing/programs'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { userIdAt } from '@portal/notifications/testing/samples'
import { singleGeneration } from '@portal/platform/generations/active-generation'
import type { ReadModel } from '@portal/platform/read-model/port'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createMemoryLog } from '../../testing/memory-log.ts'
import { createPeopleIndex, type PeopleIndex } from './people-index.ts'
import { enrolledPartition } from '@portal/contracts/notifications/events'
import { audienceProjection, universitiesPartition } from './projection.ts'

type Step =
  | { readonly kind: 'register' | 'erase' | 'release' | 'prove' | 'deactivate' | 'reactivate'; readonly n: number }
  | { readonly kind: 'rename'; readonly n: number; readonly name: string }
  | { readonly kind: 'promote'; readonly n: number; readonly role: 'admin' | 'faculty' | 'student' }
  | { readonly kind: 'enroll'; readonly n: number; readonly program: number }
  | { readonly kind: 'rename-university'; readonly name: string }
  | { readonly kind: 'project'; readonly count: number }
  | { readonly kind: 'read' }

const userNumber = fc.integer({ min: 1, max: 6 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('register', 'register', 'erase', 'release', 'prove', 'deactivate', 'reactivate'),
    n: userNumber,
  }),
  fc.record({ kind: fc.constant('rename' as const), n: userNumber, name: fc.constantFrom('Ada', 'ben', 'Éve') }),
  fc.record({
    kind: fc.constant('promote' as const),
    n: userNumber,
    role: fc.constantFrom('admin', 'faculty', 'student'),
  }),
  fc.record({ kind: fc.constant('enroll' as const), n: userNumber, program: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('rename-university' as const),
    name: fc.constantFrom('Eastbrook University', 'B', 'C'),
  }),
  fc.record({ kind: fc.constant('project' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.constant({ kind: 'read' } as const),
)

const university = universityIdSchema.parse('01980000-0000-7000-8000-000000000001')

const record = (log: ProjectedLog, step: Exclude<Step, { kind: 'project' | 'read' }>) => {
  if (step.kind === 'rename-university') {
    const data = { universityId: university, name: step.name }
    return log.append('catalog-all', { type: 'UniversityRenamed', data })
  }
  const userId = userIdAt(step.n)
  const stream = `user-${userId}`
  switch (step.kind) {
    case 'register': {
      const event = registered(userId, 'student', plainProfile(profileAt(step.n)))
      return log.append(stream, { ...event, data: { ...event.data, emailVerified: false } })
    }
    case 'rename': {
      const profile = plainProfile({ ...profileAt(step.n), fullName: step.name })
      return log.append(stream, { type: 'UserProfileChanged', data: { userId, profile } })
    }
    case 'promote':
      return log.append(stream, { type: 'UserRoleChanged', data: { userId, role: step.role } })
    case 'prove':
      return log.append(stream, { type: 'EmailProved', data: { userId, emailIndex: 'index' } })
    case 'deactivate':
      return log.append(stream, { type: 'UserDeactivated', data: { userId } })
    case 'reactivate':
      return log.append(stream, { type: 'UserReactivated', data: { userId } })
    case 'release':
      return log.append(stream, { type: 'UserEmailReleased', data: { userId } })
    case 'erase':
      return log.append(stream, { type: 'UserErased', data: { userId, emailIndex: 'index' } })
    case 'enroll':
      return log.append('catalog-all', enrolledIn(step.program, userId, 'Pending'))
  }
}

const contentsOf = async (people: PeopleIndex) => {
  const { byName, everyone, all: users, sorted, person } = await people.snapshot()
  const all = [...everyone()].map(({ userId, enrollments }) => ({ ...person(userId), enrollments }))
  const order = byName.map(({ userId, isDeactivated, registeredAtMs }) => ({ userId, isDeactivated, registeredAtMs }))
  const idsBy = (by: 'name' | 'email' | 'registered') => sorted(by, [...users()]).map(({ userId }) => userId)
  expect(idsBy('name')).toEqual(byName.map(({ userId }) => userId))
  return { all, order, byEmail: idsBy('email'), byRegistration: idsBy('registered') }
}

const partitions = [universitiesPartition, ...allBucketKeys.flatMap((bucket) => [bucket, enrolledPartition(bucket)])]
const digestsOf = (readModel: ReadModel) =>
  Promise.all(partitions.map((partition) => readModel.digest(audienceProjection.name, partition)))

it('an index that was read at any moments equals a new one, and a rebuild gives the same data', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const log = createProjectedLog(audienceProjection, createMemoryLog(), [authPublisher, catalogPublisher])
      const vault = createPlainVault()
      const { universityName: name } = profileAt(1)
      log.append('catalog-all', { type: 'UniversityAdded', data: { universityId: university, name } })
      const { signal } = new AbortController()
      const logger = pino({ level: 'silent' })
      const indexOn = (readModel: ReadModel) =>
        createPeopleIndex({ readModel: singleGeneration(readModel), vault, logger, signal })
      const people = indexOn(log.readModel)
      for (const one of steps) {
        if (one.kind === 'project') await log.project(one.count)
        else if (one.kind === 'read') await people.snapshot()
        else record(log, one)
      }
      await log.project()
      const rebuilt = await log.rebuilt()
      expect(await contentsOf(people)).toEqual(await contentsOf(indexOn(rebuilt)))
      expect(await digestsOf(log.readModel)).toEqual(await digestsOf(rebuilt))
      await rebuilt.close()
      await log.close()
    }),
    { numRuns: 60 },
  )
})
