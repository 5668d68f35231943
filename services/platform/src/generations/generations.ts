import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isFirstVersion } from '../read-model/projection-key.ts'
import type { Checkpoints, ProjectionWriter, ReadStore } from '../read-model/port.ts'
import type { Generation } from './active-generation.ts'

/**
 * Which generation of each projection's read model serves: one document in the namespace 'control', which no replay touches. It is
 * only ever changed by compare-and-set, so whoever was overtaken, a replay that was believed dead among them, changes nothing.
 */
const place = { partition: 'generations', collection: 'generations', key: 'all' } as const
const keeper = 'generations'

const replayLockSchema = z.object({
  /** Which run it is. */
  by: z.string(),
  /** Raised by the run as long as it lives. */
  renewals: z.number().int(),
  /** The projections whose active generation it has fenced, or is about to. Written before the fence is set. */
  sealing: z.array(z.string()),
})
/** Held by the one run that may build or switch generations. */
export type ReplayLock = z.infer<typeof replayLockSchema>

const servingSchema = z.object({
  /** The namespace that serves. */
  generation: z.string(),
  /** What readers are told of its numbering, where it is not the namespace's own: that of the one before, proved equal. */
  epoch: z.string().optional(),
  /** The one that `make replay-back` would go back to. */
  previous: z.string().optional(),
  /** One that differed from what served, kept to be looked at. */
  refused: z.string().optional(),
})
export type Serving = z.infer<typeof servingSchema>

const generationsSchema = z.object({
  version: z.string(),
  /** By projection and version (read-model/projection-key.ts). */
  serving: z.record(z.string(), servingSchema),
  /** Namespaces that a run is building, or has replaced for good: should it have died, the next one drops them. */
  droppable: z.array(z.string()),
  /** The recorded name of the replay lock. */
  claim: replayLockSchema.optional(),
})
export type Generations = Omit<z.infer<typeof generationsSchema>, 'version'> & {
  /** Another one after each change; undefined before the first. */
  readonly version: string | undefined
}

/** Recorded names of first generations that are older than generations. */
const namedOtherwise: Readonly<Record<string, string>> = { ledger: 'ledger' }

/** The namespace that a version of a projection has until the first replay. */
export const firstGeneration = (key: string): string => namedOtherwise[key] ?? `${key}-main`

export const generationOf = ({ serving }: Generations, key: string): string =>
  serving[key]?.generation ?? firstGeneration(key)

/** A first version fills its first generation as it consumes; every later version is built whole before it serves. */
export const isBuilt = ({ serving }: Generations, key: string): boolean =>
  isFirstVersion(key) || serving[key] !== undefined

/** The opened generation with the epoch that its readers get. */
export const activeGeneration = (known: Generations, projection: string, opened: Generation): Generation => {
  const epoch = known.serving[projection]?.epoch
  return epoch === undefined || opened.name !== generationOf(known, projection) ? opened : { ...opened, epoch }
}

/** The namespaces that serve or may be wanted again. */
export const needOf = (serving: Generations['serving']): ReadonlySet<string> =>
  new Set(
    Object.values(serving).flatMap(({ generation, previous, refused }) =>
      [generation, previous, refused].filter((name) => name !== undefined),
    ),
  )

/** Cheaper than loading them, to be asked often. */
export const generationsVersion = (control: Checkpoints): Promise<string | undefined> =>
  control.position(keeper, place.partition)

export const loadGenerations = async (control: ReadStore): Promise<Generations> => {
  const stored = await control.get(place)
  return stored === undefined ? { version: undefined, serving: {}, droppable: [] } : generationsSchema.parse(stored)
}

/** Rises as positions do, and is like no other even when the count begins anew, in a namespace that was emptied. */
const versionAfter = (version: string | undefined): string => {
  const changes = Number(version?.split('-')[0] ?? '0') + 1
  return `${String(changes).padStart(12, '0')}-${randomBytes(6).toString('hex')}`
}

/** Undefined when somebody else has changed them since `known` was loaded: then nothing has happened. */
export const changeGenerations = async (
  control: ProjectionWriter,
  known: Generations,
  change: Partial<Pick<Generations, 'serving' | 'droppable' | 'claim'>>,
): Promise<Generations | undefined> => {
  const version = versionAfter(known.version)
  const { serving, droppable, claim } = { ...known, ...change }
  const outcome = await control.commit({
    projection: keeper,
    partition: place.partition,
    expected: known.version,
    position: version,
    writes: [
      {
        op: 'put',
        collection: place.collection,
        key: place.key,
        value: { version, serving: servingJson(serving), droppable, ...(claim && { claim }) },
      },
    ],
  })
  return outcome === 'committed' ? { version, serving, droppable, claim } : undefined
}

const servingJson = (serving: Generations['serving']) =>
  Object.fromEntries(
    Object.entries(serving).map(([projection, { generation, epoch, previous, refused }]) => [
      projection,
      {
        generation,
        ...(epoch !== undefined && { epoch }),
        ...(previous !== undefined && { previous }),
        ...(refused !== undefined && { refused }),
      },
    ]),
  )

/** `20261121t140102`, as in the names of generations. */
export const stampOf = (now: Date): string => now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase()
