import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listPrograms, listUniversities } from '@portal/contracts/catalog/http'
import { listNotifications } from '@portal/contracts/notifications/http'
import { z } from 'zod'
import { callRoute, logIn, seededEmail, userIdsByEmail } from '../testing/api-client.ts'
import { admin, eventually, newDataFolder, seedSample, startPortal } from '../testing/portal-process.ts'
import { sendRaw } from './raw-http.ts'
import type { Failures } from './audit-result.ts'

export const roles = ['student', 'faculty', 'admin'] as const
type SignedInRole = (typeof roles)[number]
export type AuditRole = 'anonymous' | SignedInRole

/** A portal process with an account of each role and content on every page. */
export type AuditPortal = {
  readonly address: string
  readonly dataDir: string
  /** Password of all accounts except the admin. */
  readonly password: string
  readonly accounts: Readonly<Record<SignedInRole, { readonly email: string; readonly password: string }>>
  readonly userIds: ReadonlyMap<string, string>
  /** Ids of an existing user, program, university, and notification of the first learner. */
  readonly knownIds: readonly string[]
  /** Starts a new session. */
  logIn(role: SignedInRole): Promise<string>
  /** Starts a new session for each role. */
  logInEach(): Promise<Readonly<Record<SignedInRole, string>>>
  logInLearner(number: number): Promise<string>
  /** Used heap in bytes, after garbage collection. */
  heapBytes(): Promise<number>
  /** Why the process exited; undefined while it runs. */
  ended(): string | undefined
  output(): string
  stop(): Promise<void>
}

const memorySchema = z.object({ heapUsed: z.number(), external: z.number() })

export const startAuditPortal = async (learners: number): Promise<AuditPortal> => {
  const folder = await newDataFolder()
  const password = await seedSample(folder.path, learners)
  const memoryFile = join(folder.path, 'audit-memory.json')
  const preload = pathToFileURL(join(import.meta.dirname, 'collect-garbage-on-signal.ts')).href
  const portal = await startPortal({
    dataDir: folder.path,
    settings: {
      // Audits that would exceed the limits of one address use many, as behind a proxy.
      TRUST_PROXY: 'loopback',
      NODE_OPTIONS: `--expose-gc --import=${preload}`,
      AUDIT_MEMORY_FILE: memoryFile,
    },
  })
  const { address, child } = portal
  const accounts = {
    student: { email: seededEmail(1), password },
    faculty: { email: 'faculty@example.com', password },
    admin: { email: admin.email, password: admin.password },
  }
  const tokenOf = async (account: { readonly email: string; readonly password: string }) =>
    (await logIn(address, account.email, account.password)).token
  const adminToken = await tokenOf(accounts.admin)
  const studentToken = await tokenOf(accounts.student)
  const userIds = await userIdsByEmail(address, adminToken)
  const [programs, universities, inbox] = await Promise.all([
    callRoute(address, listPrograms),
    callRoute(address, listUniversities),
    callRoute(address, listNotifications, { token: studentToken }),
  ])
  const firstIds = [programs[0]?._id, universities[0]?._id, inbox.notifications[0]?._id]

  return {
    address,
    dataDir: folder.path,
    password,
    accounts,
    userIds,
    knownIds: [userIds.get(seededEmail(2)), ...firstIds].filter((id) => id !== undefined),
    logIn: (role) => tokenOf(accounts[role]),
    logInEach: async () => ({
      student: await tokenOf(accounts.student),
      faculty: await tokenOf(accounts.faculty),
      admin: await tokenOf(accounts.admin),
    }),
    logInLearner: (number) => tokenOf({ email: seededEmail(number), password }),
    heapBytes: async () => {
      await rm(memoryFile, { force: true })
      child.kill('SIGUSR2')
      const text = await eventually('the portal has written its memory', async () =>
        (await readFile(memoryFile, 'utf8').catch(() => '')).endsWith('}') ? readFile(memoryFile, 'utf8') : undefined,
      )
      const { heapUsed, external } = memorySchema.parse(JSON.parse(text))
      return heapUsed + external
    },
    ended: () =>
      child.exitCode === null && child.signalCode === null
        ? undefined
        : `the portal ended with ${child.exitCode ?? child.signalCode}: ${portal.output().slice(-500)}`,
    output: portal.output,
    stop: async () => {
      await portal.stop()
      await folder.remove()
    },
  }
}

const mib = 1024 * 1024
/** Permitted heap growth after garbage collection, from warm-up to end: a fifth, plus 16 MiB for caches. */
const tolerance = { factor: 1.2, extraBytes: 16 * mib }

/** How long memory may take to return to its level: sockets close, and timers release what they hold. */
const settleTimeoutMs = 20_000
const settlePollMs = 200

/** The lowest level within the time; ends as soon as it is low enough. */
const settledHeap = async (portal: AuditPortal, isLowEnough: (bytes: number, previous: number) => boolean) => {
  const deadline = performance.now() + settleTimeoutMs
  let lowest = await portal.heapBytes()
  while (performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, settlePollMs))
    const bytes = await portal.heapBytes()
    const isDone = isLowEnough(bytes, lowest)
    lowest = Math.min(lowest, bytes)
    if (isDone) break
  }
  return lowest
}

export const memoryTolerance = `heap after garbage collection at most ${tolerance.factor} × its level after the warm-up + ${tolerance.extraBytes / mib} MiB`

/**
 * Runs a tenth of the work as warm-up, then the rest. Returns how the heap level changed. Notes if it stays high, and
 * adds a failure if the portal is unhealthy afterwards.
 */
export const expectStillHealthy = async (
  portal: AuditPortal,
  failures: Failures,
  {
    total,
    seed,
    run,
  }: { readonly total: number; readonly seed: number; run(count: number, seed: number): Promise<void> },
): Promise<string> => {
  const tenth = Math.ceil(total / 10)
  await run(tenth, seed * 1_000_000)
  // The baseline: until it falls no further.
  const before = await settledHeap(portal, (bytes, lowest) => bytes >= lowest)
  await run(total - tenth, seed * 1_000_000 + 500_000)
  const highest = before * tolerance.factor + tolerance.extraBytes
  const after = await settledHeap(portal, (bytes) => bytes <= highest)
  const found = `heap ${Math.round(before / mib)} → ${Math.round(after / mib)} MiB`
  if (after > highest) failures.exceed(`memory did not return to its level: ${found}`)
  const health = await sendRaw(portal.address, { method: 'GET', path: '/health' })
  if (health.status !== 200) failures.add(`/health says ${health.status} afterwards: ${health.text.slice(0, 300)}`)
  return found
}
