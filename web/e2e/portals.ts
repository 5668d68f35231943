import { listMyPrograms, listPrograms } from '@portal/contracts/catalog/http'
import { listNotifications } from '@portal/contracts/notifications/http'
import { callRoute, logIn, seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  type Environment,
  newDataFolder,
  seedLearners,
  seedSample,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { deliverTwice } from './deliver-twice.ts'
import type { Account, RunningPortal } from './journeys.ts'

/** Starts a portal on the data folder, which it removes when it stops. With DELIVER_TWICE=1 behind a proxy that repeats requests. */
const startOn = async (
  { path, remove }: Awaited<ReturnType<typeof newDataFolder>>,
  settings: Environment = {},
): Promise<RunningPortal & { /** Without the proxy. */ readonly ownAddress: string }> => {
  const portal = await startPortal({ dataDir: path, settings })
  const proxy = process.env['DELIVER_TWICE'] === '1' ? await deliverTwice(portal.address) : undefined
  return {
    address: proxy?.address ?? portal.address,
    ownAddress: portal.address,
    dataDir: path,
    stop: async () => {
      proxy?.stop()
      await portal.stop()
      await remove()
    },
  }
}

/** A new portal without data. */
export const startEmptyPortal = async () => startOn(await newDataFolder())

/** A portal with learners whose inboxes are empty. */
export const startLearnersPortal = async (learners: number, settings?: Environment) => {
  const dataFolder = await newDataFolder()
  const password = await seedLearners(dataFolder.path, learners)
  const portal = await startOn(dataFolder, settings)
  return { ...portal, learner: (n: number): Account => ({ email: seededEmail(n), password }) }
}

/** A portal with the data of `make seed`, which fills every screen. */
export type SamplePortal = RunningPortal & {
  /** Without a proxy in front of it. */
  readonly ownAddress: string
  readonly admin: Account
  readonly faculty: Account
  readonly learner: (n: number) => Account
  /** Ids of what the first learner can open, and of the learner. */
  readonly enrolledProgram: string
  readonly otherProgram: string
  readonly notification: string
  readonly userId: string
}

/** The id of an entry that the sample must have. */
const idOf = (entry: { readonly _id: string } | undefined, what: string): string => {
  if (!entry) throw new Error(`The sample has no ${what}`)
  return entry._id
}

export const startSamplePortal = async (learners = 24, settings: Environment = {}): Promise<SamplePortal> => {
  const dataFolder = await newDataFolder()
  const password = await seedSample(dataFolder.path, learners)
  const portal = await startOn(dataFolder, settings)
  const { address } = portal
  const { token, userId } = await logIn(address, seededEmail(1), password)
  const [programs, { programs: enrollments }, { notifications }] = await Promise.all([
    callRoute(address, listPrograms),
    callRoute(address, listMyPrograms, { token }),
    callRoute(address, listNotifications, { token }),
  ])
  const enrolled = new Set<string>(enrollments.map(({ programId }) => programId))
  return {
    ...portal,
    admin,
    faculty: { email: 'faculty@example.com', password },
    learner: (n) => ({ email: seededEmail(n), password }),
    enrolledProgram: idOf(
      programs.find(({ _id }) => enrolled.has(_id)),
      'program that the first learner is enrolled in',
    ),
    otherProgram: idOf(
      programs.find(({ _id }) => !enrolled.has(_id)),
      'program that the first learner is not enrolled in',
    ),
    notification: idOf(notifications[0], 'notification'),
    userId,
  }
}
