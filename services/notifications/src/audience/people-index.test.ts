import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { authPublisher, catalogPublisher, profileAt, registered } from '@portal/notifications/testing/people'
import { createPlainVault, plainProfile } from '@portal/notifications/testing/plain-vault'
import { enrolledIn, programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { userIdAt } from '@portal/notifications/testing/samples'
import { universityIdSchema } from '@portal/contracts/shared/ids'
import { createSlot, singleGeneration, type Slot } from '@portal/platform/generations/active-generation'
import type { ReadModel } from '@portal/platform/read-model/port'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryLog } from '../../testing/memory-log.ts'
import { createPeopleIndex, type PeopleIndex } from './people-index.ts'
import { audienceProjection } from './projection.ts'

let log: ProjectedLog
let vault: ReturnType<typeof createPlainVault>
let people: PeopleIndex
const errors: string[] = []
const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
const { signal } = new AbortController()
const publishers = [authPublisher, catalogPublisher]

const indexOn = (readModel: ReadModel, options: { readonly maxPeople?: number } = {}): PeopleIndex =>
  createPeopleIndex({ readModel: singleGeneration(readModel), vault, logger, signal, ...options })

beforeEach(() => {
  log = createProjectedLog(audienceProjection, createMemoryLog(), publishers)
  vault = createPlainVault()
  people = indexOn(log.readModel)
  errors.length = 0
})
afterEach(() => log.close())

const [ada, ben, eve] = [userIdAt(1), userIdAt(2), userIdAt(3)]
const register = (n: number, fullName = `Learner ${n}`, to = log) =>
  to.append(`user-${userIdAt(n)}`, registered(userIdAt(n), 'student', plainProfile({ ...profileAt(n), fullName })))
const rename = (n: number, fullName: string, to = log) => {
  const [userId, profile] = [userIdAt(n), plainProfile({ ...profileAt(n), fullName })]
  to.append(`user-${userId}`, { type: 'UserProfileChanged', data: { userId, profile } })
}
const enroll = (n: number, program: number) => log.append('catalog-all', enrolledIn(program, userIdAt(n), 'Pending'))
const namesIn = async (index: PeopleIndex) => (await index.snapshot()).byName.map(({ profile }) => profile.fullName)
const namesNow = async () => {
  await log.project()
  return namesIn(people)
}

describe('the index of people', () => {
  it('has users, enrollments and programs as soon as they are projected', async () => {
    log.append('catalog-all', savedProgram(1, 'AI'))
    enroll(2, 1)
    register(2)
    register(1)
    await log.project()
    const { programs, everyone } = await people.population()
    expect([...programs.values()]).toEqual(['AI'])
    expect([...everyone()].find(({ userId }) => userId === ben)?.enrollments).toEqual([
      { programId: programIdAt(1), paymentStatus: 'Pending', semester: 1, installmentDue: 1 },
    ])
    expect(await namesNow()).toEqual(['Learner 1', 'Learner 2'])
  })

  it('is sorted by bucket and id', async () => {
    for (let n = 1; n <= 200; n++) register(n)
    await log.project()
    const ids = [...(await people.population()).everyone()].map(({ userId }) => `${bucketKey(userId)} ${userId}`)
    expect(ids).toHaveLength(200)
    expect(ids).toEqual(ids.toSorted())
  })

  it('decrypts only changed profiles', async () => {
    for (let n = 1; n <= 3; n++) register(n)
    await namesNow()
    expect(vault.takeDecrypted().toSorted()).toEqual([ada, ben, eve])
    rename(2, 'Aaron')
    enroll(1, 1)
    log.append(`user-${eve}`, { type: 'UserRoleChanged', data: { userId: eve, role: 'faculty' } })
    expect(await namesNow()).toEqual(['Aaron', 'Learner 1', 'Learner 3'])
    expect(vault.takeDecrypted()).toEqual([ben])
  })

  it('keeps deactivated people by name, but not among those whom a rule can select', async () => {
    for (let n = 1; n <= 2; n++) register(n)
    await namesNow()
    const selectable = async () => [...(await people.population()).everyone()].map(({ userId }) => userId)
    log.append(`user-${ada}`, { type: 'UserDeactivated', data: { userId: ada } })
    expect(await namesNow()).toEqual(['Learner 1', 'Learner 2'])
    expect((await people.snapshot()).byName.map(({ isDeactivated }) => isDeactivated)).toEqual([true, false])
    expect(await selectable()).toEqual([ben])
    log.append(`user-${ada}`, { type: 'EmailProved', data: { userId: ada, emailIndex: 'index' } })
    log.append(`user-${ada}`, { type: 'UserRoleChanged', data: { userId: ada, role: 'faculty' } })
    await log.project()
    expect(await selectable()).toEqual([ben])
    log.append(`user-${ada}`, { type: 'UserReactivated', data: { userId: ada } })
    await log.project()
    expect((await selectable()).toSorted()).toEqual([ada, ben])
  })

  it('orders people by name, without regard to case and accents', async () => {
    for (const [n, name] of ['zoe', 'Émile', 'eve', 'Adam'].entries()) register(n + 1, name)
    expect(await namesNow()).toEqual(['Adam', 'Émile', 'eve', 'zoe'])
    rename(4, 'Xaver')
    expect(await namesNow()).toEqual(['Émile', 'eve', 'Xaver', 'zoe'])
    const { rankOf } = await people.snapshot()
    const ids = [1, 2, 3, 4, 9].map(userIdAt)
    expect(ids.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual([2, 3, 4, 1, 9].map(userIdAt))
  })

  it('[D1] has the same people in a university that is renamed while a rule is evaluated', async () => {
    const universityId = universityIdSchema.parse('01980000-0000-7000-8000-000000000001')
    const name = profileAt(1).universityName
    register(1)
    log.append('catalog-all', { type: 'UniversityAdded', data: { universityId, name } })
    await log.project()
    const before = await people.snapshot()
    const named = before.universitiesNamed([name])
    log.append('catalog-all', { type: 'UniversityRenamed', data: { universityId, name: 'Westbrook University' } })
    await log.project()
    const [learner] = (await people.snapshot()).byName
    expect(learner?.profile.university.name).toBe('Westbrook University')
    expect(named).toEqual(new Set([learner?.profile.university]))
  })

  it('is the same snapshot until anything changes, so that what was selected from it can be kept', async () => {
    const universityId = universityIdSchema.parse('01980000-0000-7000-8000-000000000001')
    const changes: readonly (() => void)[] = [
      () => register(1),
      () => log.append('catalog-all', savedProgram(1, 'AI')),
      () => enroll(1, 1),
      () => rename(1, 'Ada'),
      () => log.append('catalog-all', { type: 'UniversityAdded', data: { universityId, name: 'East' } }),
      () => log.append('catalog-all', { type: 'UniversityRenamed', data: { universityId, name: 'West' } }),
      () => log.append(`user-${ada}`, { type: 'UserDeactivated', data: { userId: ada } }),
      () =>
        log.append('catalog-all', {
          type: 'ProgramRemoved',
          data: { programId: programIdAt(1), removedAt: '2026-11-21T10:00:00.000Z' },
        }),
    ]
    let former = await people.snapshot()
    for (const [n, change] of changes.entries()) {
      change()
      await log.project()
      const latest = await people.snapshot()
      expect([n, latest === former, (await people.snapshot()) === latest]).toEqual([n, false, true])
      former = latest
    }
  })

  it('answers without names while they are being decrypted', async () => {
    register(1)
    await log.project()
    const { promise: isAllowed, resolve: allow } = Promise.withResolvers<undefined>()
    const slow = { decrypt: () => isAllowed }
    const index = createPeopleIndex({ readModel: singleGeneration(log.readModel), vault: slow, logger, signal })
    const snapshot = index.snapshot()
    expect([...(await index.population()).everyone()]).toMatchObject([{ userId: ada, profile: undefined }])
    allow(undefined)
    await snapshot
  })

  it('is complete after the vault was unavailable for some users', async () => {
    // In one bucket, where they are decrypted together.
    const some = Array.from({ length: 4_000 }, (_, n) => n).filter((n) => bucketKey(userIdAt(n)) === bucketKey(ada))
    for (const n of some) register(n)
    await log.project()
    const last = userIdAt(some.at(-1) ?? 0)
    let isAvailable = false
    const unsteady = {
      decrypt: async (userId: string, text: string) => {
        if (!isAvailable && userId === last) throw new Error('the vault is unavailable')
        return text
      },
    }
    const index = createPeopleIndex({ readModel: singleGeneration(log.readModel), vault: unsteady, logger, signal })
    await expect(index.snapshot()).rejects.toThrow('unavailable')
    isAvailable = true
    expect(await namesIn(index)).toHaveLength(some.length)
  })

  it('leaves further users out when it is full, and reports it', async () => {
    for (let n = 1; n <= 3; n++) register(n)
    await log.project()
    expect(await namesIn(indexOn(log.readModel, { maxPeople: 2 }))).toHaveLength(2)
    expect(errors.join()).toContain('people index is full')
  })

  it('has no name for a user whose profile cannot be read, and reports it', async () => {
    log.append(`user-${ada}`, registered(ada, 'student', encryptedTextSchema.parse('not JSON')))
    await log.project()
    expect((await people.snapshot()).person(ada)).toMatchObject({ fullName: '', role: 'student' })
    expect(errors.join()).toContain('profile cannot be decrypted')
  })
})

describe('a user who left', () => {
  it('is in neither the index nor the read model after an erasure', async () => {
    register(1)
    register(2)
    enroll(1, 1)
    await namesNow()
    log.append(`user-${ada}`, { type: 'UserErased', data: { userId: ada, emailIndex: 'index' } })
    rename(1, 'A late change')
    expect(await namesNow()).toEqual(['Learner 2'])
    expect((await people.snapshot()).person(ada)).toBeUndefined()
    expect(await log.readModel.entry(bucketKey(ada), 'users', ada)).toBeUndefined()
  })

  it('is not in the index after their key is destroyed, before the erasure is projected', async () => {
    register(1)
    await log.project()
    vault.erase(ada)
    const { person, everyone } = await people.snapshot()
    expect(person(ada)).toBeUndefined()
    expect([...everyone()]).toEqual([])
  })

  it('is not in the index after their e-mail address was reclaimed', async () => {
    register(1)
    await namesNow()
    log.append(`user-${ada}`, { type: 'UserEmailReleased', data: { userId: ada } })
    expect(await namesNow()).toEqual([])
  })
})

describe('a read model that does not continue', () => {
  const switched = async (): Promise<{ slot: Slot; index: PeopleIndex; other: ProjectedLog }> => {
    const other = createProjectedLog(audienceProjection, createMemoryLog(), publishers)
    const slot = createSlot({ name: 'first', readModel: log.readModel }, { refresh: async () => undefined })
    const index = createPeopleIndex({ readModel: slot.active, vault, logger, signal })
    return { slot, index, other }
  }

  it('is read again after a switch, also at equal positions, without decrypting what is the same', async () => {
    const { slot, index, other } = await switched()
    register(1)
    register(2)
    await log.project()
    expect(await namesIn(index)).toEqual(['Learner 1', 'Learner 2'])
    vault.takeDecrypted()
    register(1, 'Another', other)
    register(3, 'Learner 3', other)
    await other.project()
    slot.switchTo({ name: 'second', readModel: other.readModel })
    expect(await namesIn(index)).toEqual(['Another', 'Learner 3'])
    slot.switchTo({ name: 'first', readModel: log.readModel })
    expect(await namesIn(index)).toEqual(['Learner 1', 'Learner 2'])
    slot.switchTo({ name: 'first again', readModel: log.readModel })
    vault.takeDecrypted()
    expect(await namesIn(index)).toEqual(['Learner 1', 'Learner 2'])
    expect(vault.takeDecrypted()).toEqual([])
    await other.close()
  })

  it('is read again after it went back or was emptied', async () => {
    const { slot, index, other } = await switched()
    register(1)
    await log.project()
    await namesIn(index)
    slot.switchTo({ name: 'emptied', readModel: other.readModel })
    expect(await namesIn(index)).toEqual([])
    register(1, 'Older name', other)
    await other.project()
    expect(await namesIn(index)).toEqual(['Older name'])
    await other.close()
  })

  it('rejects while its data is known to be lost', async () => {
    const { slot, index, other } = await switched()
    register(1)
    await log.project()
    await namesIn(index)
    slot.active.rejectReads(new Error('lost'))
    await expect(index.population()).rejects.toThrow('lost')
    await other.close()
  })
})
