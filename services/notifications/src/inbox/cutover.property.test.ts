import type { UserId } from '@portal/contracts/shared/ids'
import type { CutoverStep } from '@portal/platform/generations/cutover'
import { replay } from '@portal/platform/generations/replay'
import type { ReplayPorts } from '@portal/platform/generations/run-with-replay-lock'
import { rollback } from '@portal/platform/generations/rollback'
import fc from 'fast-check'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { users } from '@portal/notifications/testing/inbox-world'
import { openSwitchedPortal, type SwitchedPortal } from '@portal/notifications/testing/switched-portal'
import type { InboxReader } from './inbox-reader.ts'
import { inboxProjection } from './projection.ts'
import { until } from '@portal/platform/testing/until'

/** The changes that one client gets from one process. Rejects if the inbox goes back within an epoch. */
const connect = (inbox: InboxReader, userId: UserId) => {
  let known = { epoch: inbox.epoch(), seq: 0 }
  const learn = ({ epoch, seq }: { readonly epoch: string; readonly seq: number }) => {
    if (epoch === known.epoch && seq < known.seq) throw new Error(`the inbox went back from ${known.seq} to ${seq}`)
    known = { epoch, seq }
  }
  return {
    async look(): Promise<void> {
      learn(await inbox.changesSince(userId, known.seq, known.epoch))
      learn(await inbox.page(userId, { page: 1, limit: 5 }))
    },
    seq: () => known.seq,
  }
}

const connectAll = ({ processes }: SwitchedPortal) =>
  processes.flatMap(({ inbox }) => users.map((userId) => connect(inbox, userId)))

/** Repeats the work until `stop`, which rejects if the work failed. */
const repeat = (work: (n: number) => Promise<void>) => {
  let isStopped = false
  const doing = (async () => {
    for (let n = 0; !isStopped; n++) await work(n)
  })()
  /** Settles only on failure. */
  const failed = doing.then(() => new Promise<never>(() => undefined))
  failed.catch(() => undefined)
  return {
    failed,
    stop: (): Promise<void> => {
      isStopped = true
      return doing
    },
  }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}

/** Clients that read continuously. */
const readAll = (portal: SwitchedPortal) => {
  const connections = connectAll(portal)
  const readers = connections.map((connection) =>
    repeat(async () => {
      await connection.look()
      await nextTurn()
    }),
  )
  const failed = Promise.all(readers.map((reader) => reader.failed))
  failed.catch(() => undefined)
  return {
    /** Settles only if an inbox goes back. */
    failed,
    allAt: (seq: number): Promise<void> =>
      until(() => expect(connections.every((connection) => connection.seq() >= seq)).toBe(true)),
    async stop(): Promise<void> {
      for (const reader of readers) await reader.stop()
    },
  }
}

type Run = { readonly kind: 'replay' | 'rollback'; readonly stamp: string }

type Ports = ReplayPorts & { readonly onStep?: (step: CutoverStep) => Promise<void> }

const switchTo = async (portal: SwitchedPortal, { kind, stamp }: Run, ports: Ports = portal.ports) => {
  const common = { ...ports, projections: [inboxProjection], signal: new AbortController().signal }
  const [switched] = await (kind === 'replay' ? replay({ ...common, stamp, force: false }) : rollback(common))
  expect(switched).not.toMatchObject({ outcome: 'refused' })
  const isActive = () => portal.processes.every(({ active }) => active.current().name === switched?.generation)
  await until(() => expect(isActive()).toBe(true))
}

describe('a switch of generations under load', () => {
  it('RP-13 never reverts the inbox of a connection, in any process', { timeout: 120_000 }, async () => {
    const kinds = fc.array(fc.constantFrom('replay' as const, 'rollback' as const), { minLength: 1, maxLength: 3 })
    const pauses = fc.array(fc.nat(20), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(kinds, pauses, fc.nat(30), async (runs, pausesOfWriter, sendsBefore) => {
        const portal = await openSwitchedPortal()
        try {
          for (let n = 0; n < sendsBefore; n++) await portal.send(users)
          const writer = repeat(async (n) => {
            await portal.send(users.slice(n % users.length))
            await turns(pausesOfWriter[n % pausesOfWriter.length] ?? 0)
          })
          const readers = readAll(portal)
          for (const [index, kind] of runs.entries())
            await switchTo(portal, { kind: index === 0 ? 'replay' : kind, stamp: `${index}` })
          await writer.stop()
          // The writer has sent to every user at least once. A short run can end before each client has read that.
          await Promise.race([readers.allAt(1), readers.failed])
          await readers.stop()
        } finally {
          await portal.close()
        }
      }),
      // Runs so short that they can end before a client has read anything, or before a generation has an event.
      {
        numRuns: 10,
        examples: [
          [['replay'], [0], 0],
          [['replay', 'rollback', 'rollback'], [3], 0],
        ],
      },
    )
  })

  /** Records a campaign after the last read of the log and before the switch. */
  const sendBeforeSwitch = (portal: SwitchedPortal, ports: ReplayPorts, beforeSwitch: () => Promise<void>) =>
    switchTo(
      portal,
      { kind: 'replay', stamp: 'next' },
      {
        ...ports,
        async onStep(step) {
          if (step !== 'caught up') return
          await portal.send(users)
          await beforeSwitch()
        },
      },
    )

  const inPortal = async (work: (portal: SwitchedPortal) => Promise<void>): Promise<void> => {
    const portal = await openSwitchedPortal()
    try {
      await work(portal)
    } finally {
      await portal.close()
    }
  }

  it('RP-13 shows a campaign sent before the switch only after it, because of the fence', { timeout: 60_000 }, () =>
    inPortal(async (portal) => {
      const readers = readAll(portal)
      await portal.send(users)
      await readers.allAt(1)
      // The projection has tried to apply the campaign.
      const hasTried = () => until(() => expect(portal.fencedCommits()).toBeGreaterThan(0))
      await sendBeforeSwitch(portal, portal.ports, hasTried)
      await Promise.race([readers.allAt(2), readers.failed])
      await expect(readers.stop()).resolves.toBeUndefined()
    }),
  )

  it('RP-13 without the fence shows that campaign and reverts it', { timeout: 60_000 }, () =>
    inPortal(async (portal) => {
      const readers = readAll(portal)
      await portal.send(users)
      await readers.allAt(1)
      const withoutFence = async (namespace: string) => ({
        ...(await portal.ports.open(namespace)),
        fence: async () => undefined,
      })
      await sendBeforeSwitch(portal, { ...portal.ports, open: withoutFence }, async () => {
        await readers.allAt(2)
        // Otherwise it can apply the campaign to the new generation before a client reads it.
        await portal.stopProjecting()
      })
      await expect(readers.failed).rejects.toThrow('the inbox went back from 2 to 1')
      await expect(readers.stop()).rejects.toThrow('the inbox went back')
    }),
  )
})
