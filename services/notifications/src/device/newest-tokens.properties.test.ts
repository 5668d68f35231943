import { encryptedTextSchema } from '@portal/contracts/auth/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createDevices, createHandleDevice } from './devices.ts'
import { deviceProjection, maxTokensPerUser, tokensRef } from './projection.ts'
import { createRegisterToken } from './register-token.ts'

type Action =
  | { readonly kind: 'register'; readonly user: number; readonly session: number; readonly token: number }
  | { readonly kind: 'end-session'; readonly user: number; readonly session: number }
  /** The provider reports it as unregistered. */
  | { readonly kind: 'drop'; readonly user: number; readonly token: number }

/** More tokens than a user can keep. */
const token = fc.nat({ max: maxTokensPerUser + 4 })
const user = fc.constantFrom(1, 1, 1, 2)
const session = fc.constantFrom(1, 1, 2)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ kind: fc.constant('register' as const), user, session, token }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end-session' as const), user, session }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), user, token }) },
)

const users = [1, 2]
/** Each user has their own sessions. */
const sessionOf = (ofUser: number, nth: number): number => ofUser * 10 + nth

/** The expected tokens: the newest twenty of each user, each owned by one user. */
const createModel = () => {
  type OpenCircuit = { readonly token: number; readonly session: number }
  const tokens = new Map<number, readonly OpenCircuit[]>()
  const of = (owner: number) => tokens.get(owner) ?? []
  const keep = (owner: number, wanted: (held: OpenCircuit) => boolean) => tokens.set(owner, of(owner).filter(wanted))
  return {
    of: (owner: number) => of(owner).map((held) => held.token),
    act: (next: Action): void => {
      switch (next.kind) {
        case 'register': {
          const held = { token: next.token, session: sessionOf(next.user, next.session) }
          if (of(next.user).some((one) => one.token === held.token && one.session === held.session)) return
          for (const owner of users) keep(owner, (one) => one.token !== held.token)
          tokens.set(next.user, [...of(next.user), held].slice(-maxTokensPerUser))
          return
        }
        case 'end-session':
          keep(next.user, (one) => one.session !== sessionOf(next.user, next.session))
          return
        case 'drop':
          keep(next.user, (one) => one.token !== next.token)
      }
    },
  }
}

/** "Encrypts" as clear text with a different result each time, like a vault. */
const createPlainVault = () => {
  let encrypted = 0
  return {
    index: (_purpose: 'push-token', text: string) => `index-${text}`,
    encrypt: async (_userId: UserId, text: string) => encryptedTextSchema.parse(`${text}#${++encrypted}`),
    decrypt: async (_userId: string, text: string) => text.split('#')[0],
  }
}

const createWorld = () => {
  const log = createProjectedLog(deviceProjection)
  const eventStore: Pick<EventStore, 'read' | 'append'> = {
    read: async function* (stream) {
      yield* log.events.filter((event) => event.stream === stream)
    },
    append: async (stream, _expected, events) => log.append(stream, ...events),
  }
  const vault = createPlainVault()
  /** An empty denylist: each session end removes its tokens itself. */
  const noneHasEnded = { getMany: async (refs: readonly unknown[]) => refs.map(() => undefined) }
  const handle = createHandleDevice({ eventStore, clockAndIds: systemClockAndIds })
  const devices = createDevices({ handle, readModel: log.readModel, sessions: noneHasEnded, vault })
  const registerToken = createRegisterToken({
    handle,
    readModel: { get: log.readModel.get, whenApplied: async () => log.project().then(() => true) },
    vault,
    newTokensPerUser: createMemoryLimiters({ elapsedMs: () => 0 }).of('newPushTokensPerUser', {
      max: 1_000,
      windowMs: 1,
    }),
    isEnded: async () => false,
    now: () => new Date(0),
    logger: pino({ level: 'silent' }),
  })
  const act = async (next: Action): Promise<void> => {
    const userId = userIdAt(next.user)
    if (next.kind === 'drop') return devices.drop({ userId, tokenIndex: vault.index('push-token', `${next.token}`) })
    const sessionId = sessionIdAt(sessionOf(next.user, next.session))
    if (next.kind === 'end-session') return devices.endSession(userId, sessionId)
    const registered = await registerToken(
      { userId, sessionId },
      { token: `${next.token}`, deviceName: 'A browser' },
      {},
    )
    expect(registered.ok).toBe(true)
    return undefined
  }
  const used = async (owner: number) =>
    (await devices.tokensOf([userIdAt(owner)])).map((opened) => Number(opened.token))
  return { log, act, used }
}

it('pushes reach the newest twenty tokens of each user after any sequence, and a rebuild agrees', async () => {
  const registering = (n: number): Action => ({ kind: 'register', user: 1, session: 1, token: n })
  const aFullHouse = Array.from({ length: maxTokensPerUser }, (_, n) => registering(n))
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40, size: 'max' }), async (actions) => {
      const world = createWorld()
      const model = createModel()
      for (const next of [...aFullHouse, ...actions]) {
        model.act(next)
        await world.act(next)
        await world.log.project()
        for (const owner of users) expect(await world.used(owner)).toEqual(model.of(owner))
      }
      const rebuilt = await world.log.rebuilt()
      const refs = users.map((owner) => tokensRef(userIdAt(owner)))
      expect(await rebuilt.getMany(refs)).toEqual(await world.log.readModel.getMany(refs))
      await Promise.all([rebuilt.close(), world.log.close()])
    }),
    // One token too many, and a displaced token registered again: a past bug.
    { numRuns: 20, examples: [[[registering(maxTokensPerUser), registering(0)]]] },
  )
})
