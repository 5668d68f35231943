import { z } from 'zod'
import type { Position } from '../event-store/port.ts'
import { parseJson } from '../files/parse-json.ts'

/** Increment it when older releases cannot read the file. */
export const manifestFormat = 1

export const partNames = ['events.db.gz', 'user-keys.db.gz'] as const
export type PartName = (typeof partNames)[number]

const count = z.number().int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
// Positions come from an event store. The log in the file rejects unknown ones.
const position = z
  .string()
  .min(1)
  .transform((text) => text as Position)

const partitionDigestSchema = z.object({
  /** The projection's position in the partition when the digest was taken. */
  position: z.string(),
  checksum: z.string(),
  documents: count,
  entries: count,
})

const readModelSchema = z.object({
  projection: z.string(),
  /** The version of the projection's code. */
  version: count.min(1),
  generation: z.string(),
  partitions: z.record(z.string(), partitionDigestSchema),
})

const manifestSchema = z.object({
  format: z.literal(manifestFormat),
  /** ISO 8601. */
  madeAt: z.iso.datetime(),
  /** The release that made the file. */
  release: z.string(),
  store: z.enum(['sqlite', 'eventstoredb']),
  log: z.object({
    events: count,
    /** The position of the last event; null for an empty log. */
    end: z.object({ position, eventId: z.string() }).nullable(),
  }),
  /** The fingerprint of the master key that wraps the users' keys. */
  masterKey: z.string().min(1),
  people: z.object({
    /** Users whose key is in the file. */
    keys: count,
    /** Users who were erased before the backup. */
    erased: count,
  }),
  parts: z
    .array(z.object({ name: z.enum(partNames), bytes: count, sha256 }))
    .refine((parts) => parts.map(({ name }) => name).join() === partNames.join(), 'parts are missing'),
  /** Digests of the read models at positions within the log, without those recorded as incomplete. */
  readModels: z.array(readModelSchema),
})
export type Manifest = z.infer<typeof manifestSchema>
export type ManifestPart = Manifest['parts'][number]
export type ReadModelDigests = Manifest['readModels'][number]

const anyFormatSchema = z.object({ format: z.number().int(), release: z.string().optional() })

type ParsedManifest =
  | { readonly kind: 'known'; readonly manifest: Manifest }
  | { readonly kind: 'newer'; readonly format: number; readonly release: string | undefined }
  | { readonly kind: 'invalid' }

export const parseManifest = (text: string): ParsedManifest => {
  const json = parseJson(text)
  const ofAnyFormat = anyFormatSchema.safeParse(json)
  if (ofAnyFormat.success && ofAnyFormat.data.format > manifestFormat) {
    return { kind: 'newer', format: ofAnyFormat.data.format, release: ofAnyFormat.data.release }
  }
  const known = manifestSchema.safeParse(json)
  return known.success ? { kind: 'known', manifest: known.data } : { kind: 'invalid' }
}
