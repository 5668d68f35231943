import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { PushOutcome } from '@portal/platform/outbound/port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDeliveryWorld, type DeliveryWorld } from '@portal/notifications/testing/delivery-world'
import { userIdAt } from '@portal/notifications/testing/samples'
import { recordOutcomes } from './record-outcomes.ts'

const graceMs = 5_000
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** All in one bucket; the last has no device. */
const users = Array.from({ length: 1_000 }, (_, n) => userIdAt(n + 1)).filter((id) => bucketKey(id) === 'b05')
const [ada, ben, eve] = [users[0] ?? userIdAt(0), users[1] ?? userIdAt(0), users[2] ?? userIdAt(0)]
const tokenOf = (userId: UserId): string | undefined => (userId === eve ? undefined : `token-${userId}`)

const away: PushOutcome = { kind: 'unavailable', reason: 'server-unavailable' }

let world: DeliveryWorld
beforeEach(() => {
  world = createDeliveryWorld({ tokenOf, graceMs })
})
afterEach(() => world.close())

const projectAll = async (): Promise<void> => {
  await world.inboxes.project()
  await world.projectPendingDeliveries()
}
/** Advances time in steps, with a round after each. */
const pass = async (forMs: number, stepMs = forMs): Promise<void> => {
  for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
    world.later(stepMs)
    await world.deliver()
    await projectAll()
  }
  await world.expectSound(users.slice(0, 5), expect)
}
const pushesTo = (userId: UserId, id: NotificationId): number => world.pushes.get(`${tokenOf(userId)} ${id}`) ?? 0
const outcomeOf = (userId: UserId, id: NotificationId): unknown =>
  world.log.events
    .filter(({ type, stream }) => type === 'RecipientsSettled' && stream === `campaign-${id}`)
    .flatMap(({ data }) => JSON.stringify(data).match(/\{"userId":[^}]*\}/g) ?? [])
    .map((text): unknown => JSON.parse(text))
    .find((outcome) => JSON.stringify(outcome).includes(userId))

describe('a push whose outcome cannot be recorded', () => {
  it('is not made, even if the process is killed meanwhile, and is made once when the log is writable again', async () => {
    const id = world.send(ada)
    await projectAll()
    world.later(graceMs)
    for (let n = 0; n < 5; n++) {
      await world.deliver('refused')
      world.later(minuteMs)
      world.restart()
    }
    expect(pushesTo(ada, id)).toBe(0)
    await pass(10 * minuteMs, 5_000)
    expect(await world.stateOf(ada, id)).toBe('pushed')
    expect(pushesTo(ada, id)).toBe(1)
  })

  it('is not repeated by a process that lost the lead and regained it', async () => {
    const id = world.send(ada)
    await projectAll()
    world.later(graceMs)
    await world.deliver('read-only')
    expect(pushesTo(ada, id)).toBe(1)
    world.leadAgain()
    await pass(10 * minuteMs, 5_000)
    expect(await world.stateOf(ada, id)).toBe('pushed')
    expect(pushesTo(ada, id)).toBe(1)
  })
})

describe('a pending-deliveries projection that was reverted to older data', () => {
  it('is not used until its consumer has caught up again, so that no push is repeated', async () => {
    await world.close()
    world = createDeliveryWorld({ tokenOf, graceMs, projectsAtOnce: true })
    const id = world.send(ada)
    await projectAll()
    const before = world.log.events.length
    world.later(graceMs)
    await world.deliver()
    expect(await world.openOf(ada)).toEqual([])
    await world.revertPendingDeliveries(before)
    expect(await world.openOf(ada)).toHaveLength(1)
    world.recheckAll()
    await world.deliver()
    expect(pushesTo(ada, id)).toBe(1)
    await world.noticeRevert()
    await pass(10 * minuteMs, 5_000)
    expect(pushesTo(ada, id)).toBe(1)
    expect(await world.stateOf(ada, id)).toBe('pushed')
  })
})

describe('a push that the provider does not accept', () => {
  it('is retried for an hour with backoff, and then fails with the reason', async () => {
    let calls = 0
    world.answerPushes(async (tokens) => {
      calls += 1
      return tokens.map(() => away)
    })
    const id = world.send(ada)
    await projectAll()
    await pass(59 * minuteMs, 1_000)
    expect(await world.stateOf(ada, id)).toBeUndefined()
    expect(calls).toBeGreaterThan(10)
    expect(calls).toBeLessThan(40)
    await pass(7 * minuteMs, 1_000)
    expect(outcomeOf(ada, id)).toMatchObject({ state: 'failed', reason: 'server-unavailable' })
  })

  it('is made when the provider recovers within the hour', async () => {
    world.answerPushes(async (tokens) => tokens.map(() => away))
    const id = world.send(ada)
    await projectAll()
    await pass(50 * minuteMs, 5_000)
    world.answerPushes(async (tokens) => tokens.map(() => ({ kind: 'accepted' })))
    await pass(6 * minuteMs, 5_000)
    expect(await world.stateOf(ada, id)).toBe('pushed')
    expect(pushesTo(ada, id)).toBe(1)
  })

  it('continues after a restart until an hour after the campaign', async () => {
    world.answerPushes(async (tokens) => tokens.map(() => away))
    const id = world.send(ada)
    await projectAll()
    await pass(30 * minuteMs, 5_000)
    world.restart()
    await pass(29 * minuteMs, 5_000)
    expect(await world.stateOf(ada, id)).toBeUndefined()
    await pass(6 * minuteMs, 5_000)
    expect(await world.stateOf(ada, id)).toBe('failed')
  })

  it('delays no other campaign, in its bucket or another', async () => {
    world.answerPushes(async (tokens) =>
      tokens.map((token): PushOutcome => (token === tokenOf(ada) ? away : { kind: 'accepted' })),
    )
    const stuck = world.send(ada)
    await projectAll()
    await pass(graceMs)
    const next = world.send(ben)
    const skipped = world.send(eve)
    await projectAll()
    await pass(graceMs)
    expect(await world.stateOf(ben, next)).toBe('pushed')
    expect(await world.stateOf(eve, skipped)).toBe('skipped')
    expect(await world.stateOf(ada, stuck)).toBeUndefined()
  })

  it('delays no other campaign while a call is slow', async () => {
    let answer = (_outcomes: readonly PushOutcome[]): void => undefined
    world.answerPushes(async (tokens) => {
      if (tokens[0] !== tokenOf(ada)) return tokens.map(() => ({ kind: 'accepted' }))
      return new Promise<readonly PushOutcome[]>((resolve) => (answer = resolve))
    })
    const slow = world.send(ada)
    await projectAll()
    await pass(graceMs)
    const next = world.send(ben)
    await projectAll()
    await pass(graceMs)
    expect(await world.stateOf(ben, next)).toBe('pushed')
    answer([{ kind: 'accepted' }])
    await expect.poll(() => world.log.events.length).toBe(6)
    await pass(minuteMs)
    expect(await world.stateOf(ada, slow)).toBe('pushed')
    expect(pushesTo(ada, slow)).toBe(1)
  })
})

describe('a campaign older than the maximum push age', () => {
  it('is skipped as expired if delivery was down for so long', async () => {
    const id = world.send(ada, eve)
    world.restart()
    world.later(dayMs + graceMs)
    await projectAll()
    await pass(graceMs)
    expect(outcomeOf(ada, id)).toMatchObject({ state: 'skipped', reason: 'expired' })
    expect(await world.stateOf(eve, id)).toBe('skipped')
    expect(world.pushes).toEqual(new Map())
  })

  it('is not pushed by a retry either', async () => {
    await world.close()
    world = createDeliveryWorld({ tokenOf, graceMs, pushMaxAgeMs: 10 * minuteMs })
    world.answerPushes(async (tokens) => tokens.map(() => away))
    const id = world.send(ada)
    await projectAll()
    await pass(9 * minuteMs, 1_000)
    expect(await world.stateOf(ada, id)).toBeUndefined()
    world.answerPushes(async (tokens) => tokens.map(() => ({ kind: 'accepted' })))
    world.later(2 * minuteMs)
    await pass(6 * minuteMs, 5_000)
    expect(outcomeOf(ada, id)).toMatchObject({ state: 'skipped', reason: 'expired' })
    expect(world.pushes).toEqual(new Map())
  })
})

describe('an old campaign', () => {
  it('is decided by its stream, although no projection has its outcomes', async () => {
    const id = world.send(ada, ben, eve)
    await projectAll()
    const eventStore = {
      append: async (stream: string, _expected: unknown, events: readonly { type: string; data: object }[]) =>
        world.log.append(stream, ...events),
    }
    await recordOutcomes(eventStore, id, [{ userId: ada, state: 'pushed' }])
    world.later(6 * minuteMs)
    await world.deliver()
    expect(pushesTo(ada, id)).toBe(0)
    expect(pushesTo(ben, id)).toBe(1)
    await projectAll()
    expect(await world.stateOf(eve, id)).toBe('skipped')
    expect(await world.openOf(ada)).toEqual([])
  })

  it('is not acted on before the projection has passed the log end at startup', async () => {
    const id = world.send(ada)
    await projectAll()
    await pass(graceMs)
    expect(pushesTo(ada, id)).toBe(1)
    const events = world.log.events.length
    for (let applied = 0; applied <= events; applied++) {
      world.restart()
      await world.rebuildPendingDeliveries(applied)
      await pass(minuteMs)
    }
    expect(pushesTo(ada, id)).toBe(1)
  })
})

describe('recipients whose inboxes do not get the notification', () => {
  it('delay no others of their bucket, however many campaigns there are', async () => {
    world.loseInboxOf(ada)
    for (let n = 0; n < 450; n++) world.send(ada)
    await projectAll()
    await pass(graceMs)
    const id = world.send(ben)
    // Every read includes the oldest and the newest; these two are between them.
    const [first, last] = [world.send(ben), world.send(eve)]
    for (let n = 0; n < 450; n++) world.send(ada)
    await projectAll()
    await passWithoutInbox(2 * graceMs, 500)
    await projectAll()
    expect([pushesTo(ben, id), pushesTo(ben, first)]).toEqual([1, 1])
    expect(await world.stateOf(eve, last)).toBe('skipped')
    expect(world.pushes.size).toBe(2)
  })

  it('are pushed with the text of the stream after some minutes, and the inbox counts it once it arrives', async () => {
    const id = world.send(ada, eve)
    await world.projectPendingDeliveries()
    await passWithoutInbox(4 * minuteMs, 5_000)
    expect(pushesTo(ada, id)).toBe(0)
    await passWithoutInbox(2 * minuteMs, 5_000)
    expect(pushesTo(ada, id)).toBe(1)
    await projectAll()
    expect(await world.stateOf(ada, id)).toBe('pushed')
    expect(await world.openOf(ada)).toEqual([])
    await world.expectSound([ada, eve], expect)
  })

  /** Lets time pass like `pass`, with a halted inbox projection. */
  const passWithoutInbox = async (forMs: number, stepMs = forMs): Promise<void> => {
    for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
      world.later(stepMs)
      await world.deliver()
      await world.projectPendingDeliveries()
    }
  }
})

describe('a clock change', () => {
  /** Pushes to a recipient from before the change and to one after it: within the grace period, and at its end. */
  const pushesAround = async (whose: readonly ('machine' | 'store')[], byMs: number) => {
    const before = world.send(ada)
    await projectAll()
    for (const clock of whose) world.setClock(clock, byMs)
    const id = world.send(ben)
    await projectAll()
    const pushes = () => [pushesTo(ada, before), pushesTo(ben, id)]
    await pass(graceMs - 1)
    const within = pushes()
    await pass(1)
    return { within, after: pushes() }
  }

  it('neither delays pushes nor shortens the grace period', async () => {
    const changes = (['machine', 'store', 'both'] as const).flatMap((whose) =>
      [dayMs, hourMs, -hourMs, ...(whose === 'store' ? [] : [-dayMs])].map((byMs) => ({ whose, byMs })),
    )
    const results: unknown[] = []
    for (const { whose, byMs } of changes) {
      await world.close()
      world = createDeliveryWorld({ tokenOf, graceMs })
      const clocks = whose === 'both' ? (['machine', 'store'] as const) : [whose]
      results.push({ whose, byMs, ...(await pushesAround(clocks, byMs)) })
    }
    expect(results).toEqual(changes.map((change) => ({ ...change, within: [0, 0], after: [1, 1] })))
  })

  it('of a day at startup delays nothing longer than the grace period', async () => {
    for (const byMs of [-dayMs, hourMs]) {
      const id = world.send(ada)
      world.setClock('machine', byMs)
      world.restart()
      await projectAll()
      await pass(1)
      await pass(graceMs)
      expect(pushesTo(ada, id)).toBe(1)
      world.setClock('machine', -byMs)
    }
  })
})
