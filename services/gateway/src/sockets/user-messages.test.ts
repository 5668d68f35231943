import { randomUUID } from 'node:crypto'
import type { CatalogChanged, EnrollmentChanged } from '@portal/contracts/catalog/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { HeldChanged, ProfileChanged, ScheduledChanged } from '@portal/contracts/notifications/socket'
import { afterEach, describe, expect, it } from 'vitest'
import { connectNonReading } from '@portal/gateway/testing/sockets/non-reading-client'
import { programNumber } from '@portal/gateway/testing/sockets/programs'
import {
  type Client,
  type SocketFixture,
  startSocketFixture,
  notificationIdOf,
  userIdOf,
} from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
const start = async (...options: Parameters<typeof startSocketFixture>) => {
  fixture = await startSocketFixture(...options)
}
afterEach(() => fixture.stop())

const save = (number: number, programName: string) =>
  fixture.publish('catalog', 'programs', 'ProgramSaved', { program: programNumber(number, { programName }) })
const catalogMessages = (client: Client): CatalogChanged[] => {
  const messages: CatalogChanged[] = []
  client.on('catalog:changed', (message) => messages.push(message))
  return messages
}

const enrollmentMessages = (client: Client): EnrollmentChanged[] => {
  const messages: EnrollmentChanged[] = []
  client.on('enrollment:changed', (message) => messages.push(message))
  return messages
}

const enrollment = {
  programId: programNumber(1)._id,
  programName: 'Program 1',
  currentSemester: 'Semester 1',
  paymentStatus: 'Pending',
  enrolledAt: '2026-11-21T10:00:00.000Z',
} as const
const enrolled: EnrollmentChanged = { enrollment: { ...enrollment, withdrawnAt: null } }
const enroll = (user: number) =>
  fixture.publish('catalog', bucketKey(userIdOf(user)), 'LearnerEnrolled', { userId: userIdOf(user), ...enrollment })

describe('a catalog message', () => {
  it('goes to everyone, admin or learner', async () => {
    await start()
    const tabs = [await fixture.connect('1:1'), await fixture.connect('2:2:admin')]
    const nextMessage = tabs.map(({ client }) => catalogMessages(client))
    await save(1, 'Data Science')
    const message = { kind: 'program-saved', program: programNumber(1, { programName: 'Data Science' }) }
    await until(() => expect(nextMessage).toEqual([[message], [message]]))
  })

  it('with an unknown type is skipped, and the next one is sent', async () => {
    await start()
    const messages = catalogMessages((await fixture.connect('1:1')).client)
    await fixture.publish('catalog', 'programs', 'ProgramPainted', { color: 'red' })
    await fixture.publish('catalog', 'universities', 'UniversityRemoved', { universityId: userIdOf(1) })
    await save(1, 'Data Science')
    await until(() => expect(messages).toMatchObject([{ kind: 'program-saved' }]))
  })

  it('reaches other clients while one client does not read, which is eventually disconnected', async () => {
    await start()
    const { client } = await fixture.connect('1:1')
    const messages = catalogMessages(client)
    const deaf = await connectNonReading(fixture.address, '2:2')
    await until(() => expect(fixture.connections.sockets).toBe(2))
    // Large programs, until the buffers of both TCP ends are more than full.
    for (let n = 1; fixture.connections.sockets === 2; n++) {
      if (n > 200) throw new Error('it is still connected')
      const detail = `${n} ${'x'.repeat(900_000)}`
      await fixture.publish('catalog', 'programs', 'ProgramSaved', { program: programNumber(1, { detail }) })
      await until(() => expect(messages.at(-1)).toMatchObject({ program: { detail } }))
    }
    expect(fixture.sockets.stats().stuck).toBe(1)
    expect(client.connected).toBe(true)
    deaf.destroy()
  }, 60_000)
})

describe('an enrollment message', () => {
  it('goes to all tabs of that learner and to no others', async () => {
    await start()
    const learner = [await fixture.connect('1:1'), await fixture.connect('1:2')]
    const other = await fixture.connect('2:3')
    const nextMessage = [...learner, other].map(({ client }) => enrollmentMessages(client))
    await enroll(1)
    // The other learner's message comes second: a misrouted first one would have arrived before it.
    await enroll(2)
    await until(() => expect(nextMessage).toEqual([[enrolled], [enrolled], [enrolled]]))
  })

  it('for a learner who is not connected is ignored', async () => {
    await start()
    await fixture.publish('catalog', 'b00', 'LearnerEnrolled', { userId: userIdOf(9), ...enrollment })
    expect(fixture.sockets.stats()).toMatchObject({ sockets: 0, stuck: 0 })
  })
})

describe('a change of learners', () => {
  it('is told to admins, once the list of the program has it; a move concerns both programs', async () => {
    await start()
    const tabs = [await fixture.connect('1:1:admin'), await fixture.connect('2:2:admin'), await fixture.connect('3:3')]
    const messages = tabs.map(({ client }) => {
      const received: string[] = []
      client.on('learners:changed', ({ programId }) => received.push(programId))
      return received
    })
    fixture.audienceProgress.hold()
    const [userId, from, to] = [userIdOf(9), programNumber(1)._id, programNumber(2)._id]
    const publish = (type: string, data: object) =>
      fixture.publish('catalog', bucketKey(userId), type, { userId, ...data })
    await publish('EnrollmentEnded', { programId: from, change: 'moved' })
    await publish('LearnerEnrolled', { ...enrollment, programId: to })
    const changed = { ...enrollment, programId: programNumber(3)._id }
    await publish('EnrollmentChanged', { enrollment: changed, change: 'semester-changed' })
    expect(messages).toEqual([[], [], []])
    fixture.audienceProgress.release()
    const told = [from, to, changed.programId]
    await until(() => expect(messages).toEqual([told, told, []]))
  })
})

describe('a confirmed send', () => {
  it('is told to all tabs of its admin and to no others, when it is held, sent and taken back', async () => {
    await start()
    const own = [await fixture.connect('1:1:admin'), await fixture.connect('1:2:admin')]
    const other = await fixture.connect('2:3:admin')
    const messages = [...own, other].map(({ client }) => {
      const received: HeldChanged[] = []
      client.on('held:changed', (message) => received.push(message))
      return received
    })
    const publish = (user: number, type: string, data: object) =>
      fixture.publish('notifications', 'campaigns', type, { sentBy: userIdOf(user), ...data })
    const [first, second] = [notificationIdOf(1), notificationIdOf(2)]
    const held = { title: 'Fees', targeted: 2, dueAt: '2026-11-21T10:00:08.000Z' }
    await publish(1, 'CampaignHeld', { notificationId: first, ...held })
    const text = { notificationId: first, title: 'Fees', message: 'Are due', type: 'Exam' }
    await publish(1, 'CampaignSent', { text, targeted: 2, buckets: ['b00'] })
    await publish(1, 'CampaignHeld', { notificationId: second, ...held })
    await publish(1, 'CampaignTakenBack', { notificationId: second })
    // The other admin's comes last: a misrouted one would have arrived before it.
    await publish(2, 'CampaignTakenBack', { notificationId: first })
    const told = [
      { notificationId: first, state: 'held' },
      { notificationId: first, state: 'sent' },
      { notificationId: second, state: 'held' },
      { notificationId: second, state: 'taken-back' },
    ]
    await until(() => expect(messages).toEqual([told, told, [{ notificationId: first, state: 'taken-back' }]]))
  })
})

describe('a scheduled send', () => {
  it('is told to the tabs of all admins and to no learner, when it is scheduled, changed, missed and discarded', async () => {
    await start()
    const tabs = [await fixture.connect('1:1:admin'), await fixture.connect('2:2:admin'), await fixture.connect('3:3')]
    const messages = tabs.map(({ client }) => {
      const received: ScheduledChanged[] = []
      client.on('scheduled:changed', (message) => received.push(message))
      return received
    })
    const ids = [1, 2, 3, 4].map(notificationIdOf)
    const publish = (n: number, type: string, data: object) =>
      fixture.publish('notifications', 'campaigns', type, { notificationId: ids[n], ...data })
    const by = userIdOf(1)
    const listed = { title: 'Fees', says: '2 people', sendAt: '2026-12-01T03:30:00.000Z', sentBy: by, version: 1 }
    await publish(0, 'SendScheduled', listed)
    await publish(1, 'ScheduledSendChanged', { ...listed, changedBy: by })
    await publish(2, 'ScheduledSendMissed', { reason: 'late' })
    await publish(3, 'ScheduledSendDiscarded', { discardedBy: by })
    const told = ids.map((notificationId) => ({ notificationId }))
    await until(() => expect(messages).toEqual([told, told, []]))
  })
})

describe('a saved or discarded draft', () => {
  it('reaches all tabs of its admin and no others', async () => {
    await start()
    const own = [await fixture.connect('1:1:admin'), await fixture.connect('1:2:admin')]
    const other = await fixture.connect('2:3:admin')
    const messages = [...own, other].map(({ client }) => {
      const received: string[] = []
      client.on('drafts:changed', ({ draftId }) => received.push(draftId))
      return received
    })
    const [mine, others] = [randomUUID(), randomUUID()]
    const publish = (user: number, type: string, data: object) =>
      fixture.publish('notifications', bucketKey(userIdOf(user)), type, { userId: userIdOf(user), ...data })
    const saved = { kind: 'message', savedAt: '2026-12-01T03:30:00.000Z', version: 1 }
    await publish(1, 'DraftSaved', { draftId: mine, summary: 'encrypted', content: 'encrypted', ...saved })
    await publish(1, 'DraftDiscarded', { draftId: mine })
    await publish(2, 'DraftDiscarded', { draftId: others })
    await until(() => expect(messages).toEqual([[mine, mine], [mine, mine], [others]]))
  })
})

describe('a change of a template', () => {
  it('reaches the tabs of all admins and no learner', async () => {
    await start()
    const tabs = [await fixture.connect('1:1:admin'), await fixture.connect('2:2:admin'), await fixture.connect('3:3')]
    const messages = tabs.map(({ client }) => {
      const received: string[] = []
      client.on('templates:changed', ({ templateId }) => received.push(templateId))
      return received
    })
    const templateId = randomUUID()
    const used = { templateId, usedBy: userIdOf(1), usedAt: '2026-12-01T03:30:00.000Z' }
    await fixture.publish('notifications', 'templates', 'TemplateUsed', used)
    await until(() => expect(messages).toEqual([[templateId], [templateId], []]))
  })
})

describe('a change of a profile', () => {
  it('reaches all tabs of its user and no others, once the texts of the inbox follow it', async () => {
    await start()
    const own = [await fixture.connect('1:1'), await fixture.connect('1:2')]
    const other = await fixture.connect('2:3')
    const messages = [...own, other].map(({ client }) => {
      const received: ProfileChanged[] = []
      client.on('profile:changed', (message) => received.push(message))
      return received
    })
    const change = (user: number) => {
      const userId = userIdOf(user)
      return fixture.publish('auth', bucketKey(userId), 'UserProfileChanged', { userId, profile: 'encrypted' })
    }
    fixture.audienceProgress.hold()
    await change(1)
    await change(2)
    expect(messages).toEqual([[], [], []])
    fixture.audienceProgress.release()
    const [mine, others] = [1, 2].map((user) => [{ userId: userIdOf(user) }])
    await until(() => expect(messages).toEqual([mine, mine, others]))
  })
})
