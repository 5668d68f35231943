import { restoreProgram } from '@portal/contracts/catalog/deleted-programs'
import { createProgram, listMyPrograms, removeProgram } from '@portal/contracts/catalog/http'
import {
  listLearnerInvitations,
  resendLearnerInvitations,
  withdrawLearnerInvitations,
} from '@portal/contracts/catalog/learner-invitations'
import { enrollLearners, type LearnerRow, withdrawLearners } from '@portal/contracts/catalog/learners'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok } from '@portal/platform/decider/decider'
import type { EventStore } from '@portal/platform/event-store/port'
import { until } from '@portal/platform/testing/until'
import { eraseAccount, proveEmail, registerAccount } from '@portal/catalog/testing/accounts'
import { callerId, type Harness, otherLearnerId, startHarness } from '@portal/catalog/testing/harness'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const asha = 'asha@example.com'
const ben = 'ben@example.com'
const as = 'admin'
/** The list is read a thousand at a time. */
const maxOpenInvitations = 1_100

let portal: Harness
let id: string
let now: Date
/** The accounts of the people index. */
let known: Map<string, UserId>
let failingAppends: number

/** Fails where an enrollment would be recorded. */
const storeOf = (store: EventStore): EventStore => ({
  ...store,
  append: async (stream, expected, events) => {
    if (stream.startsWith('enrollment-') && failingAppends > 0) {
      failingAppends -= 1
      throw new Error('the process ends here')
    }
    return store.append(stream, expected, events)
  },
})

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00.000Z')
  known = new Map()
  failingAppends = 0
  const person = (contact: string) => {
    const userId = known.get(contact)
    return userId && { person: { userId, fullName: contact, role: 'student' as const, isDeactivated: false } }
  }
  const contacts = {
    find: async (list: readonly string[]) => ok(list.map((contact) => ({ contact, ...person(contact) }))),
  }
  portal = await startHarness({ processes: 2, now: () => now, contacts, storeOf, maxOpenInvitations })
  id = await create('Minor in AI')
})
afterEach(() => portal.stop())

const create = async (programName: string) => (await portal.call(createProgram, { as, body: { programName } })).data._id
const enroll = (contacts: readonly string[], more: { readonly key?: string; readonly id?: string } = {}) =>
  portal.call(enrollLearners, { as, id, ...more, body: { contacts } })
const fatesOf = ({ rows }: { readonly rows: readonly LearnerRow[] }) => rows.map(({ fate }) => fate)
const list = async (query = {}) => portal.call(listLearnerInvitations, { as, id, query })
const addresses = async () => (await list()).invitations.map(({ email }) => email)
const idsOf = ({ rows }: { readonly rows: readonly LearnerRow[] }) =>
  rows.flatMap(({ invitationId }) => (invitationId === undefined ? [] : [invitationId]))
const register = (email: string, userId: UserId = callerId) => registerAccount(portal, { userId, email })
const types = async () => (await portal.recorded()).map(({ type }) => type)
const typesOf = async (start: string) => (await types()).filter((type) => type.startsWith(start))
const mine = async (who: 'student' | 'student-2' = 'student') =>
  (await portal.call(listMyPrograms, { as: who })).programs.map(({ programName }) => programName)
const passDays = (days: number) => {
  now = new Date(now.getTime() + days * 24 * 3_600_000)
}
/** Everything that was recorded so far has been handled, once another address is enrolled after it. */
const afterAll = async () => {
  const marker = `marker${now.getTime()}${Math.random()}@example.com`
  await enroll([marker])
  await register(marker, otherLearnerId)
  await until(async () =>
    expect(await portal.recorded()).toContainEqual(
      expect.objectContaining({
        type: 'LearnerInvitationAccepted',
        data: expect.objectContaining({ emailIndex: portal.vault.index('email', marker) }),
      }),
    ),
  )
}

describe('people without an account', () => {
  test('are invited by their addresses; the preview says so, and records nothing', async () => {
    known.set('known@example.com', callerId)
    const contacts = [asha, ' Asha@Example.com', 'MIN-1', 'no@address', 'known@example.com', ben]
    const before = await types()
    const preview = await portal.call(enrollLearners, { as, id, body: { contacts, dryRun: true } })
    expect(fatesOf(preview)).toEqual(['invited', 'repeated', 'unknown', 'unknown', 'enrolled', 'invited'])
    expect(preview.changed).toBe(3)
    expect(await types()).toEqual(before)
    const done = await enroll(contacts)
    expect(fatesOf(done)).toEqual(fatesOf(preview))
    expect(preview.message).toBe('Preview: 1 learner enrolled, 2 invited, 3 not changed')
    expect(done.message).toBe('1 learner enrolled, 2 invited, 3 not changed')
    const again = await enroll([asha])
    expect(fatesOf(again)).toEqual(['already-invited'])
    expect(again.message).toBe('1 learner not changed')
    expect(await addresses()).toHaveLength(2)
    expect(await mine()).toEqual(['Minor in AI'])
    expect((await enroll(['chitra@example.com', 'deepa@example.com'])).message).toBe('2 learners invited')
  })

  test('are listed a page at a time, the newest first, with the admin who invited them', async () => {
    await registerAccount(portal, { userId: callerId, email: 'admin@example.com', fullName: 'Meera', role: 'admin' })
    for (const contact of [asha, ben, 'chitra@example.com']) await enroll([contact])
    const page = await list({ page: 2, limit: 1 })
    expect(page).toMatchObject({
      invitations: [
        {
          email: ben,
          invitedBy: 'Meera',
          invitedAt: '2026-11-20T10:00:00.000Z',
          expiresAt: '2026-12-20T10:00:00.000Z',
        },
      ],
      pagination: { page: 2, limit: 1, total: 3, totalPages: 3 },
    })
    expect(await list({ page: 4, limit: 1 })).toMatchObject({ invitations: [] })
    expect(portal.securityLog.events.at(-1)).toMatchObject({ event: 'users-listed', result: 'ok', target: id })
  })

  test('have their addresses in no event, and the admin in each', async () => {
    await enroll([asha])
    const recorded = await portal.recorded()
    expect(recorded.at(-1)).toMatchObject({ type: 'LearnerInvited', actorId: callerId })
    expect(JSON.stringify(recorded)).not.toContain('asha')
  })

  test('are invited once per request, also after they were withdrawn', async () => {
    const first = await enroll([asha], { key: 'once-and-only' })
    expect(await enroll([asha], { key: 'once-and-only' })).toEqual(first)
    await portal.call(withdrawLearnerInvitations, { as, id, body: { invitationIds: idsOf(first) } })
    expect(await enroll([asha], { key: 'once-and-only' })).toEqual(first)
    expect(await addresses()).toEqual([])
    expect(fatesOf(await enroll([asha]))).toEqual(['invited'])
    expect(await typesOf('LearnerInvited')).toHaveLength(2)
  })

  test('are invited once by two admins at the same time', async () => {
    const answers = await Promise.all([enroll([asha]), enroll([asha]), enroll([asha])])
    expect(answers.flatMap(fatesOf).toSorted()).toEqual(['already-invited', 'already-invited', 'invited'])
    expect(await addresses()).toEqual([asha])
  })

  test('are no more than a program can have open', async () => {
    await enroll(Array.from({ length: maxOpenInvitations - 1 }, (_, n) => `p${n}@example.com`))
    for (const dryRun of [true, false])
      expect(await portal.refuse(enrollLearners, { as, id, body: { contacts: [asha, ben], dryRun } })).toMatchObject({
        status: 409,
        message:
          'A program can have at most 20,000 open invitations. Please withdraw some first, or enroll fewer people.',
      })
    expect(fatesOf(await enroll([asha]))).toEqual(['invited'])
    const last = await list({ page: maxOpenInvitations / 50 })
    expect(last.invitations).toHaveLength(50)
    expect(last.pagination.total).toBe(maxOpenInvitations)
  })
})

describe('who registers', () => {
  test('is enrolled in all programs, once, by the admin who has invited them', async () => {
    await enroll([asha, ben])
    await enroll([asha], { id: await create('Minor in DS') })
    await register(asha)
    await until(async () => expect((await mine()).toSorted()).toEqual(['Minor in AI', 'Minor in DS']))
    expect(await addresses()).toEqual([ben])
    const enrolled = (await portal.recorded()).filter(({ type }) => type === 'LearnerEnrolled')
    expect(enrolled).toHaveLength(2)
    expect(enrolled.map(({ actorId }) => actorId)).toEqual([callerId, callerId])
    expect(await typesOf('LearnerInvitationAccepted')).toHaveLength(2)
  })

  test('is enrolled although the first attempts end in between', async () => {
    await enroll([asha])
    failingAppends = 5
    await register(asha)
    await until(async () => expect(await mine()).toEqual(['Minor in AI']))
    expect(failingAppends).toBe(0)
    expect(await typesOf('LearnerEnrolled')).toHaveLength(1)
    expect(await typesOf('LearnerInvitationAccepted')).toHaveLength(1)
  })

  test('is not enrolled again by a message that comes again, after an admin has withdrawn them', async () => {
    await enroll([asha])
    await register(asha)
    await until(async () => expect(await mine()).toEqual(['Minor in AI']))
    await portal.call(withdrawLearners, { as, id, body: { userIds: [callerId], reason: 'Left' } })
    await proveEmail(portal, { userId: callerId, email: asha })
    await afterAll()
    expect(await mine()).toEqual([])
  })

  test('while an admin invites them is enrolled, too', async () => {
    await register(asha)
    // The people index does not know them yet.
    await enroll([asha])
    await until(async () => expect(await mine()).toEqual(['Minor in AI']))
    expect(await addresses()).toEqual([])
  })

  test('without proving the address is enrolled once they have', async () => {
    await enroll([asha])
    const account = { userId: callerId, email: asha }
    await registerAccount(portal, { ...account, isProved: false })
    await afterAll()
    expect(await mine()).toEqual([])
    await proveEmail(portal, account)
    await until(async () => expect(await mine()).toEqual(['Minor in AI']))
  })

  test('as a member of the faculty is not enrolled', async () => {
    await enroll([asha])
    await registerAccount(portal, { userId: callerId, email: asha, role: 'faculty' })
    await afterAll()
    expect(await addresses()).toEqual([asha])
  })

  test('is not enrolled in a program that is deleted', async () => {
    await enroll([asha])
    await portal.call(removeProgram, { as, id })
    await register(asha)
    await until(async () => expect(await types()).toContain('LearnerInvitationExpired'))
    await portal.call(restoreProgram, { as, id })
    expect(await list()).toMatchObject({ invitations: [], pagination: { total: 0 } })
    expect(await typesOf('LearnerEnrolled')).toEqual([])
  })

  test('after thirty days is not enrolled, unless the invitation was sent again', async () => {
    const invited = await enroll([asha, ben])
    passDays(29)
    const [ofAsha] = idsOf(invited)
    await portal.call(resendLearnerInvitations, { as, id, body: { invitationIds: [ofAsha] } })
    passDays(1)
    await register(ben, otherLearnerId)
    await register(asha)
    await until(async () => expect(await mine()).toEqual(['Minor in AI']))
    await until(async () => expect(await types()).toContain('LearnerInvitationExpired'))
    expect(await mine('student-2')).toEqual([])
  })
})

describe('an invitation', () => {
  test('that is withdrawn enrolls nobody, and its address cannot be read any more', async () => {
    const invited = await enroll([asha])
    const [invitationId = ''] = idsOf(invited)
    const address = (await portal.recorded()).flatMap(({ data }) => Object(data).address ?? [])[0]
    expect(await portal.vault.decrypt(invitationId, address)).toBe(asha)
    const body = { invitationIds: [invitationId] }
    expect(await portal.call(withdrawLearnerInvitations, { as, id, body })).toEqual({
      success: true,
      message: 'Withdrew the invitation',
      changed: 1,
    })
    expect(await portal.vault.decrypt(invitationId, address)).toBeUndefined()
    const gone = { status: 404, code: 'not-found' }
    expect(await portal.refuse(withdrawLearnerInvitations, { as, id, body })).toMatchObject(gone)
    expect(await portal.refuse(resendLearnerInvitations, { as, id, body })).toMatchObject(gone)
    await register(asha)
    await afterAll()
    expect(await mine()).toEqual([])
  })

  test('that has led to an enrollment, or has expired, keeps no address', async () => {
    const [ofAsha = '', ofBen = ''] = idsOf(await enroll([asha, ben]))
    const decrypted = async () => {
      const invited = (await portal.recorded()).filter(({ type }) => type === 'LearnerInvited')
      return Promise.all(
        invited
          .filter(({ data }) => [ofAsha, ofBen].includes(Object(data).invitationId))
          .map(({ data }) => portal.vault.decrypt(Object(data).invitationId, Object(data).address)),
      )
    }
    expect((await decrypted()).toSorted()).toEqual([asha, ben])
    await register(asha)
    await until(async () => expect((await decrypted()).filter((one) => one !== undefined)).toEqual([ben]))
    passDays(30)
    // Inviting again ends the expired one.
    await enroll([ben])
    await until(async () => expect((await decrypted()).filter((one) => one !== undefined)).toEqual([]))
    expect(await addresses()).toEqual([ben])
  })

  test('that has expired is off the list soon, though nobody asks for it', async () => {
    await enroll([asha])
    passDays(1)
    await enroll([ben])
    passDays(29)
    await portal.catalog.stop()
    await portal.catalog.start()
    await until(async () => expect(await addresses()).toEqual([ben]))
    expect((await list()).pagination.total).toBe(1)
    expect(fatesOf(await enroll([asha, ben]))).toEqual(['invited', 'already-invited'])
  })

  test('ends with the account of its address, but one of later does not', async () => {
    const account = { userId: callerId, email: asha }
    await enroll([asha])
    await registerAccount(portal, { ...account, isProved: false })
    passDays(1)
    await eraseAccount(portal, account)
    await until(async () => expect(await addresses()).toEqual([]))
    passDays(1)
    await enroll([asha])
    await portal.eventStore.append(`user-${callerId}`, 'any', [
      {
        id: crypto.randomUUID(),
        type: 'UserErased',
        data: { userId: callerId, emailIndex: portal.vault.index('email', asha) },
        metadata: { occurredAt: '2026-11-21T10:00:00.000Z' },
      },
    ])
    await afterAll()
    expect(await addresses()).toEqual([asha])
  })

  test('of another program or none is not changed', async () => {
    const [ofAsha] = idsOf(await enroll([asha]))
    const other = await create('Minor in DS')
    const body = { invitationIds: [ofAsha] }
    for (const route of [withdrawLearnerInvitations, resendLearnerInvitations]) {
      expect(await portal.refuse(route, { as, id: other, body })).toMatchObject({ status: 404 })
      expect(await portal.refuse(route, { as, id: callerId, body })).toMatchObject({ message: 'Program not found' })
    }
    expect(await portal.refuse(listLearnerInvitations, { as, id: callerId })).toMatchObject({
      message: 'Program not found',
    })
    expect(await addresses()).toEqual([asha])
  })
})

test('lists and counts are the same after a rebuild', async () => {
  const invited = await enroll([asha, ben, 'chitra@example.com'])
  const [, ofBen, ofChitra] = idsOf(invited)
  await portal.call(resendLearnerInvitations, { as, id, body: { invitationIds: [ofBen] } })
  await portal.call(withdrawLearnerInvitations, { as, id, body: { invitationIds: [ofChitra] } })
  await register(asha)
  await until(async () => expect(await addresses()).toEqual([ben]))
  await until(async () => expect(await mine()).toEqual(['Minor in AI']))
  const { serving, rebuilt } = await portal.digests()
  expect(rebuilt).toEqual(serving)
})
