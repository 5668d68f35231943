import fc from 'fast-check'
import { z } from 'zod'
import { hostileValue } from './hostile-values.ts'

/**
 * The supported part of JSON schema. Libraries that read zod schemas support only zod 3, or generate no strings from
 * patterns.
 */
const shapeSchema = z.object({
  type: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(shapeSchema).optional()
  },
  get allOf() {
    return z.array(shapeSchema).optional()
  },
  get properties() {
    return z.record(z.string(), shapeSchema).optional()
  },
  required: z.array(z.string()).optional(),
  get items() {
    return shapeSchema.optional()
  },
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
})
type Shape = z.infer<typeof shapeSchema>

const shapeOf = (schema: z.ZodType): Shape =>
  shapeSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

/** Whether the route leaves this part unspecified, as `z.unknown()`. */
export const isUnspecified = (schema: z.ZodType): boolean => schema instanceof z.ZodUnknown

const maxItems = 5
const maxCharacters = 200

/** Matches every pattern of a password. */
const passwordBeginning = 'Aa1!'

const texts = (shape: Shape, knownIds: readonly string[]): fc.Arbitrary<string> => {
  const { format, pattern, allOf = [], minLength = 0, maxLength = maxCharacters } = shape
  if (format === 'uuid') return fc.oneof(fc.uuid(), ...(knownIds.length > 0 ? [fc.constantFrom(...knownIds)] : []))
  if (pattern?.includes('@')) return fc.stringMatching(/^[a-z]{1,20}@[a-z]{1,10}\.example$/)
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const most = Math.min(maxLength, maxCharacters)
  if (allOf.length > 0)
    return fc
      .string({ unit: 'grapheme', minLength, maxLength: 40 })
      .map((text) => passwordBeginning + text)
      .filter((text) => text.length <= maxLength)
  const plain = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(most, 60)) })
  const address = fc.webUrl({ validSchemes: ['https'] })
  const longest = fc.constant('x'.repeat(maxLength))
  return maxLength >= 2_048 ? fc.oneof(plain, address, longest) : fc.oneof({ weight: 5, arbitrary: plain }, longest)
}

const valuesOfShape = (shape: Shape, knownIds: readonly string[]): fc.Arbitrary<unknown> => {
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum) return fc.constantFrom(...shape.enum)
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((one) => valuesOfShape(one, knownIds)))
  switch (shape.type) {
    case 'string':
      return texts(shape, knownIds)
    case 'integer':
      return fc.integer({ min: Math.max(shape.minimum ?? 0, -(2 ** 31)), max: Math.min(shape.maximum ?? 100, 2 ** 31) })
    case 'number':
      return fc.double({ min: shape.minimum ?? -1e6, max: shape.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOfShape(shape.items ?? {}, knownIds), {
        minLength: shape.minItems ?? 0,
        maxLength: Math.min(shape.maxItems ?? maxItems, maxItems),
      })
    case 'object': {
      const properties = Object.entries(shape.properties ?? {})
      return fc.record(Object.fromEntries(properties.map(([name, one]) => [name, valuesOfShape(one, knownIds)])), {
        requiredKeys: [...(shape.required ?? [])],
      })
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Values that mostly match the schema; its JSON schema has no refinements. */
const validValues = (schema: z.ZodType, knownIds: readonly string[]): fc.Arbitrary<unknown> =>
  valuesOfShape(shapeOf(schema), knownIds)

type Damage = { readonly turns: readonly number[]; readonly by: unknown; readonly how: 'replace' | 'remove' | 'add' }

const damages: fc.Arbitrary<Damage> = fc.record({
  turns: fc.array(fc.nat(7), { maxLength: 4 }),
  by: hostileValue,
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
})

const addedNames = ['__proto__', 'constructor', 'role', 'extra', '_id', 'userId', '$where'] as const

/** Follows `turns` into the value and damages what it finds. */
const damaged = (value: unknown, { turns, by, how }: Damage): unknown => {
  const [turn, ...rest] = turns
  if (turn === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value)) {
    if (value.length === 0) return [by]
    const at = turn % value.length
    return value.map((item: unknown, index) => (index === at ? damaged(item, { turns: rest, by, how }) : item))
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  const at = entries[turn % Math.max(1, entries.length)]
  if (how === 'add' || at === undefined) return withOwn(entries, [addedNames[turn % addedNames.length] ?? 'extra', by])
  if (how === 'remove' && rest.length === 0) return withOwn(entries.filter((entry) => entry !== at))
  return withOwn(
    entries.filter((entry) => entry !== at),
    [at[0], damaged(at[1], { turns: rest, by, how })],
  )
}

/** Defines `__proto__` as an own property too, as JSON.parse does. */
const withOwn = (entries: readonly (readonly [string, unknown])[], ...more: (readonly [string, unknown])[]): object => {
  const object = {}
  for (const [name, value] of [...entries, ...more])
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
  return object
}

/** Valid values with one to three defects. */
const nearlyValidValues = (schema: z.ZodType, knownIds: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(validValues(schema, knownIds), fc.array(damages, { minLength: 1, maxLength: 3 }))
    .map(([value, all]) => all.reduce(damaged, value))

export const arbitraryFor = (schema: z.ZodType, knownIds: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: validValues(schema, knownIds) },
    { weight: 5, arbitrary: nearlyValidValues(schema, knownIds) },
    { weight: 1, arbitrary: hostileValue },
  )
