import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isFirstVersion } from '../read-model/projection-key.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import type { Generation } from './active-generation.ts'

/**
 * One document in the namespace 'control' names the active generation of each projection. Every change is a compare-and-set, so a
 * process with an outdated version changes nothing. Such a process may be a replay that others considered dead.
 */
const documentRef = { partition: 'generations', collection: 'generations', key: 'all' } as const
const owner = 'generations'

const replayLockSchema = z.object({
  /** The id of the run. */
  by: z.string(),
  /** The run raises it while it lives. */
  renewals: z.number().int(),
  /** The projections whose active generation the run fences. Written before it sets the fences. The recorded name. */
  sealing: z.array(z.string()),
})
/** Held by the one run that may build or switch generations. */
export type ReplayLock = z.infer<typeof replayLockSchema>

const servingSchema = z.object({
  /** The namespace of the active generation. */
  generation: z.string(),
  /** The epoch for readers, if not the namespace's own: that of an equal previous generation. */
  epoch: z.string().optional(),
  /** The generation that `make replay-back` makes active again. */
  previous: z.string().optional(),
  /** A generation that differed from the active one, or an incomplete one that was replaced. Kept for inspection. */
  refused: z.string().optional(),
})
export type Serving = z.infer<typeof servingSchema>

const generationsSchema = z.object({
  version: z.string(),
  /** By projection and version (read-model/projection-key.ts). */
  serving: z.record(z.string(), servingSchema),
  /** Namespaces that a run is building or no longer needs. If the run dies, the next one drops them. */
  droppable: z.array(z.string()),
  /** The recorded name of the replay lock. */
  claim: replayLockSchema.optional(),
  /** The lock that was removed last because it expired. Its run may take it again as long as no other run has taken it. */
  expired: replayLockSchema.optional(),
})
export type Generations = Omit<z.infer<typeof generationsSchema>, 'version'> & {
  /** Changes with each change; undefined before the first. */
  readonly version: string | undefined
}

/** Namespaces that were named before there were generations. */
const recordedNames: Readonly<Record<string, string>> = { ledger: 'ledger' }

/** The namespace that a version of a projection has until the first replay. */
export const firstGeneration = (key: string): string => recordedNames[key] ?? `${key}-main`

export const generationOf = ({ serving }: Generations, key: string): string =>
  serving[key]?.generation ?? firstGeneration(key)

/** A first version fills its first generation while it serves. Later versions are built completely before they serve. */
export const isBuilt = ({ serving }: Generations, key: string): boolean =>
  isFirstVersion(key) || serving[key] !== undefined

/** The opened generation with the epoch that its readers get. */
export const activeGeneration = (known: Generations, projection: string, opened: Generation): Generation => {
  const epoch = known.serving[projection]?.epoch
  return epoch === undefined || opened.name !== generationOf(known, projection) ? opened : { ...opened, epoch }
}

/** When a run began to build the generation, like '20261121t140102'; undefined for a first generation. */
const stampIn = (generation: string): string | undefined => /-(\d{8}t\d{6})$/.exec(generation)?.[1]

/**
 * The keys of the projections whose active generation differed from a rebuilt one, which was rejected and is newer. A later cutover ends
 * it. A replaced incomplete generation is older than the active one.
 */
export const differingKeys = ({ serving }: Pick<Generations, 'serving'>): readonly string[] =>
  Object.entries(serving).flatMap(([key, { generation, refused }]) => {
    const rejectedAt = refused === undefined ? undefined : stampIn(refused)
    return rejectedAt !== undefined && rejectedAt > (stampIn(generation) ?? '') ? [key] : []
  })

/** The namespaces that are active or may become active or be inspected. */
export const neededNamespaces = (serving: Generations['serving']): ReadonlySet<string> =>
  new Set(
    Object.values(serving).flatMap(({ generation, previous, refused }) =>
      [generation, previous, refused].filter((name) => name !== undefined),
    ),
  )

/** Cheaper to poll than the generations. */
export const generationsVersion = (control: Checkpoints): Promise<string | undefined> =>
  control.position(owner, documentRef.partition)

export const loadGenerations = async (control: Pick<ReadStore, 'get'>): Promise<Generations> => {
  const stored = await control.get(documentRef)
  return stored === undefined ? { version: undefined, serving: {}, droppable: [] } : generationsSchema.parse(stored)
}

/** Rises like a position. The random part keeps it unique if the count restarts in an emptied namespace. */
const versionAfter = (version: string | undefined): string => {
  const changes = Number(version?.split('-')[0] ?? '0') + 1
  return `${String(changes).padStart(12, '0')}-${randomBytes(6).toString('hex')}`
}

/**
 * Undefined, without a change, if another process has changed them since `known` was loaded. An expired lock is kept only until the
 * next change, so while it is there no other run has taken the lock.
 */
export const changeGenerations = async (
  control: Pick<ProjectionWriter, 'commit'>,
  known: Generations,
  change: Partial<Pick<Generations, 'serving' | 'droppable' | 'claim' | 'expired'>>,
): Promise<Generations | undefined> => {
  const value = { ...known, expired: undefined, ...change, version: versionAfter(known.version) }
  const { partition, ...document } = documentRef
  const outcome = await control.commit({
    projection: owner,
    partition,
    expected: known.version,
    position: value.version,
    writes: [{ op: 'put', ...document, value }],
  })
  return outcome === 'committed' ? value : undefined
}

/** `20261121t140102`, as in the names of generations. */
export const stampOf = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
