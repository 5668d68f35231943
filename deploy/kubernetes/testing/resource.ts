import { z } from 'zod'

/** What every resource of a cluster has; the rest is looked at by who checks it. */
export const resourceSchema = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional() }),
})
export type Resource = z.infer<typeof resourceSchema>

export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every object anywhere within a value, itself among them. */
export const objectsIn = (value: unknown): readonly Fields[] => {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (!isFields(value)) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}
