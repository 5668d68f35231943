import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as auth from '@portal/contracts/auth/http'
import * as catalog from '@portal/contracts/catalog/http'
import * as notifications from '@portal/contracts/notifications/http'
import { z } from 'zod'
import { callRoute, logIn, wholeInbox } from '../testing/api-client.ts'
import { repositoryRoot } from '../testing/portal-process.ts'

/**
 * A golden folder is the data folder of a portal of one release, with what that release served from it. It never changes once
 * the release is out: it stands for the data that operators have.
 */
const root = join(repositoryRoot, 'services/system-tests/golden')

const digestSchema = z.object({
  position: z.string(),
  documents: z.number().int(),
  entries: z.number().int(),
  checksum: z.string(),
})
const partitionsSchema = z.record(z.string(), digestSchema)
/** Digests by partition. */
export type PartitionDigests = z.infer<typeof partitionsSchema>

const personSchema = z.object({ email: z.string(), password: z.string() })

const expectationsSchema = z.object({
  release: z.string(),
  events: z.number().int(),
  /** What the log leads to, by projection and version. */
  readModels: z.record(z.string(), partitionsSchema),
  admin: personSchema,
  learners: z.array(personSchema),
  erased: personSchema,
  /** What the portal answers to the admin and the learners. */
  served: z.unknown(),
})
export type Expectations = z.infer<typeof expectationsSchema>

export type GoldenFolder = {
  readonly release: string
  readonly dataDir: string
  readonly expectationsFile: string
}

export const goldenFolder = (release: string): GoldenFolder => ({
  release,
  dataDir: join(root, release, 'data'),
  expectationsFile: join(root, release, 'expectations.json'),
})

const numbersOf = (release: string): readonly number[] => release.split('.').map(Number)

const byRelease = (one: string, other: string): number => {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  const at = left.findIndex((number, index) => number !== right[index])
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

/** All golden folders, the oldest first. */
export const goldenFolders = (): readonly GoldenFolder[] =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted(byRelease)
    .map(goldenFolder)

export const loadExpectations = ({ expectationsFile }: GoldenFolder): Expectations =>
  expectationsSchema.parse(JSON.parse(readFileSync(expectationsFile, 'utf8')))

/** A copy that a test may write to. */
export const copyGoldenData = ({ dataDir }: GoldenFolder) => {
  const path = mkdtempSync(join(tmpdir(), 'golden-'))
  cpSync(dataDir, path, { recursive: true })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

type Accounts = Pick<Expectations, 'admin' | 'learners'>

const servedToLearner = async (address: string, token: string) => {
  const { user } = await callRoute(address, auth.getProfile, { token })
  const { programs } = await callRoute(address, catalog.listMyPrograms, { token })
  const inbox = await wholeInbox(address, token)
  const { count } = await callRoute(address, notifications.countUnread, { token })
  return { user, programs, inbox, count }
}

const servedToAdmin = async (address: string, token: string) => {
  const { users } = await callRoute(address, auth.listUsers, { token })
  const { data: programs } = await callRoute(address, catalog.listAdminPrograms, { token })
  const universities = await callRoute(address, catalog.listUniversities)
  const query = { page: 1, limit: 100 }
  const { notifications: sent } = await callRoute(address, notifications.listRecentNotifications, { token, query })
  return { users, programs, universities, sent }
}

/** What a portal answers to each account, as JSON. Logs each of them in. */
export const servedAnswers = async (address: string, { admin, learners }: Accounts): Promise<unknown> => {
  const signIn = async ({ email, password }: Accounts['admin']) => (await logIn(address, email, password)).token
  const toLearners: Record<string, unknown> = {}
  for (const learner of learners) toLearners[learner.email] = await servedToLearner(address, await signIn(learner))
  const answers = { admin: await servedToAdmin(address, await signIn(admin)), learners: toLearners }
  return JSON.parse(JSON.stringify(answers))
}
