import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Role } from '@portal/contracts/auth/user'
import { sessionIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { IdleLimits } from './session-idle.ts'
import type { RecordedSession } from './session-record.ts'
import { makeSessionVerifier, signSessionToken } from './session-tokens.ts'
import type { SessionPurpose, SessionVerifier } from './session.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const limits: IdleLimits = { learnersMs: dayMs, adminsMs: hourMs }

let folder: string
let signingKeys: SigningKeys
let wallMs: number
let elapsedMs: number
let lastUse: RecordedSession['lastUse']
let reported: string[]
let isAuthDown: boolean
const now = () => new Date(wallMs)

/** A process of its own: its memory is empty. Reported uses are recorded at once. */
const startProcess = (ownLimits = limits): SessionVerifier =>
  makeSessionVerifier({
    signingKeys,
    now,
    denylist: { isEnded: async () => false, lineage: () => 'same' },
    record: { find: async () => ({ lastUse }) },
    idle: {
      limits: ownLimits,
      elapsedMs: () => elapsedMs,
      uses: {
        report: ({ kind }) => {
          reported.push(kind)
          if (kind === 'used' && !isAuthDown) lastUse = now()
        },
      },
    },
  })
const pass = (ms: number) => {
  wallMs += ms
  elapsedMs += ms
}
/** Only the clock of the machine. */
const setClock = (byMs: number) => {
  wallMs += byMs
}
const tokenOf = (role: Role): Promise<string> => {
  const sessionId = sessionIdSchema.parse('0192f000-0000-7000-8000-000000000001')
  const userId = userIdSchema.parse('0192f000-0000-7000-8000-000000000002')
  return signSessionToken(signingKeys, { sessionId, userId, role, expiresAt: new Date(wallMs + 30 * dayMs) }, now())
}
const isOpen = async (process: SessionVerifier, token: string, purpose?: SessionPurpose): Promise<boolean> =>
  (await process.verify(token, purpose)) !== undefined

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'idle-'))
  const file = join(folder, 'session-keys.json')
  signingKeys = openSigningKeys({ file, now: () => new Date(), logger: pino({ level: 'silent' }) })
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  wallMs = Date.parse('2026-03-01T10:00:00Z')
  elapsedMs = 5_000
  lastUse = 'login'
  reported = []
  isAuthDown = false
})

describe('a session that nobody uses', () => {
  it.each([
    ['student', dayMs],
    ['faculty', dayMs],
    ['admin', hourMs],
  ] as const)(
    'of a %s is refused after its limit, in the process that knows it and in any other',
    async (role, limit) => {
      const token = await tokenOf(role)
      const process = startProcess()
      expect(await isOpen(process, token)).toBe(true)
      pass(limit - 1)
      expect(await isOpen(startProcess(), token, 'look')).toBe(true)
      pass(1)
      expect(await isOpen(process, token)).toBe(false)
      expect(await isOpen(startProcess(), token)).toBe(false)
      expect(reported).toEqual(['idle', 'idle'])
    },
  )

  it('lasts if it is used, which is recorded now and then only', async () => {
    const token = await tokenOf('admin')
    const process = startProcess()
    for (let minutes = 0; minutes < 600; minutes += 1) {
      expect(await isOpen(process, token)).toBe(true)
      pass(minuteMs)
    }
    expect(reported.length).toBeGreaterThan(60)
    expect(reported.length).toBeLessThanOrEqual(120)
    pass(hourMs)
    expect(await isOpen(process, token)).toBe(false)
  })

  it('lasts if several processes see its uses in turn', async () => {
    const token = await tokenOf('admin')
    const processes = [startProcess(), startProcess(), startProcess()]
    for (let n = 0; n < 60; n += 1) {
      for (const process of processes) expect(await isOpen(process, token)).toBe(true)
      pass(50 * minuteMs)
    }
  })

  it('is not used by a look, which refuses it without ending it', async () => {
    const token = await tokenOf('admin')
    const process = startProcess()
    expect(await isOpen(process, token)).toBe(true)
    for (let n = 0; n < 5; n += 1) {
      pass(11 * minuteMs)
      expect(await isOpen(process, token, 'look')).toBe(true)
    }
    pass(11 * minuteMs)
    expect(await isOpen(process, token, 'look')).toBe(false)
    expect(reported).toEqual([])
    expect(await isOpen(process, token)).toBe(false)
    expect(reported).toEqual(['idle'])
  })

  it('is refused although a look has just confirmed that it is open', async () => {
    const token = await tokenOf('admin')
    const process = startProcess()
    await process.verify(token)
    pass(59 * minuteMs)
    expect(await isOpen(process, token, 'look')).toBe(true)
    pass(minuteMs)
    expect(await isOpen(process, token)).toBe(false)
  })

  it('lasts without a limit', async () => {
    const token = await tokenOf('admin')
    const process = startProcess({})
    for (let n = 0; n < 5; n += 1) {
      expect(await isOpen(process, token)).toBe(true)
      pass(5 * dayMs)
    }
  })

  it('of an earlier release, which recorded no uses, counts from its first use', async () => {
    const token = await tokenOf('admin')
    lastUse = 'unknown'
    pass(3 * dayMs)
    const process = startProcess()
    expect(await isOpen(process, token)).toBe(true)
    expect(reported).toEqual(['used'])
    pass(hourMs)
    expect(await isOpen(process, token)).toBe(false)
  })
})

describe('clocks and outages', () => {
  it.each([dayMs, -dayMs + hourMs])(
    'a clock that is set by %d ms logs out nobody who uses the portal',
    async (byMs) => {
      const tokens = [await tokenOf('student'), await tokenOf('admin')]
      const process = startProcess()
      const expectOpen = async () => {
        for (const token of tokens) expect(await isOpen(process, token)).toBe(true)
      }
      await expectOpen()
      setClock(byMs)
      await expectOpen()
      for (let n = 0; n < 10; n += 1) {
        pass(30 * minuteMs)
        await expectOpen()
      }
      setClock(-byMs)
      await expectOpen()
      pass(dayMs)
      for (const token of tokens) expect(await isOpen(process, token)).toBe(false)
    },
  )

  it('a clock that was wrong when the process started, and is right again, refuses no new session', async () => {
    setClock(2 * hourMs)
    const process = startProcess()
    setClock(-2 * hourMs)
    expect(await isOpen(process, await tokenOf('admin'))).toBe(true)
  })

  it('who uses the portal stays while auth can record nothing', async () => {
    const token = await tokenOf('admin')
    const process = startProcess()
    isAuthDown = true
    for (let n = 0; n < 30; n += 1) {
      expect(await isOpen(process, token)).toBe(true)
      pass(10 * minuteMs)
    }
  })
})
