import { availableParallelism } from 'node:os'
import { logIn, seededEmail, userIdsByEmail } from '../testing/api-client.ts'
import { admin, newDataFolder, seedLearners, startPortal } from '../testing/portal-process.ts'

export type BenchLearner = { readonly userId: string; readonly token: string }

export type SignedInPortal = {
  readonly address: string
  readonly adminToken: string
  readonly password: string
  readonly userIds: ReadonlyMap<string, string>
  /** The first learners, logged in; each is logged in once only. */
  learners(count: number): Promise<readonly BenchLearner[]>
}

/** A seeded portal in a process of its own. */
export type BenchPortal = SignedInPortal & {
  readonly pid: number
  readonly dataDir: string
  stop(): Promise<void>
}

export const startBenchPortal = async (
  learnerCount: number,
  options: {
    readonly prepare?: (dataDir: string) => Promise<void>
    readonly settings?: Readonly<Record<string, string>>
    readonly startTimeoutMs?: number
  } = {},
): Promise<BenchPortal> => {
  const folder = await newDataFolder()
  const password = await seedLearners(folder.path, learnerCount)
  await options.prepare?.(folder.path)
  const portal = await startPortal({
    dataDir: folder.path,
    settings: { NODE_OPTIONS: '--expose-gc', ...options.settings },
    ...(options.startTimeoutMs === undefined ? {} : { startTimeoutMs: options.startTimeoutMs }),
  })
  return {
    ...(await signedIn(portal.address, password)),
    pid: portal.pid,
    dataDir: folder.path,
    stop: async () => {
      await portal.stop()
      await folder.remove()
    },
  }
}

/** The admin and the learners of a seeded portal, each learner logged in once only. */
export const signedIn = async (address: string, password: string): Promise<SignedInPortal> => {
  const { token: adminToken } = await logIn(address, admin.email, admin.password)
  const userIds = await userIdsByEmail(address, adminToken)
  const loggedIn: BenchLearner[] = []
  return {
    address,
    adminToken,
    password,
    userIds,
    learners: async (count) => {
      while (loggedIn.length < count) {
        const numbers = Array.from(
          { length: Math.min(availableParallelism(), count - loggedIn.length) },
          (_, n) => loggedIn.length + n + 1,
        )
        loggedIn.push(...(await Promise.all(numbers.map((n) => logIn(address, seededEmail(n), password)))))
      }
      return loggedIn.slice(0, count)
    },
  }
}
