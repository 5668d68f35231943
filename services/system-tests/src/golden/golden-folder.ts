import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
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
export type Person = z.infer<typeof personSchema>

const expectationsSchema = z.object({
  release: z.string(),
  events: z.number().int(),
  /** By projection and version: what the log leads to. */
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
