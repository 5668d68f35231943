import type { z } from 'zod'

/** An event as the store returns it, before its data has been checked. */
type StoredEvent = { readonly type: string; readonly data: unknown }

/**
 * Turns an event of one former shape into the next newer shape; undefined for every other event. Pure, and never applies to what it
 * returns. Upcasters of a category stand in `upcasters.ts` beside its `events.ts`, the oldest shape first.
 */
export type Upcaster = (stored: StoredEvent) => StoredEvent | undefined

/** No event of this type is declared: a newer release has recorded it. */
export class UnknownEventTypeError extends Error {
  override readonly name = 'UnknownEventTypeError'
  readonly type: string
  constructor(type: string) {
    super(`Unknown event type ${type}`)
    this.type = type
  }
}

type EventOption = z.ZodObject<{ type: z.ZodLiteral<string>; data: z.ZodType }>
type EventSchema = z.ZodDiscriminatedUnion<readonly EventOption[]>

/**
 * Reads events of one stream category as they are stored, for deciders and publishers alike: in today's shape, whatever shape they
 * were recorded in. Throws an UnknownEventTypeError for a type that the schema does not declare, and a ZodError for data that
 * does not fit.
 */
export const storedEventReader = <Schema extends EventSchema>(schema: Schema, upcasters: readonly Upcaster[] = []) => {
  const known = new Set<string>(schema.options.map(({ shape }) => shape.type.value))
  return ({ type, data }: StoredEvent): z.output<Schema> => {
    const upcast = upcasters.reduce<StoredEvent>((event, upcaster) => upcaster(event) ?? event, { type, data })
    if (!known.has(upcast.type)) throw new UnknownEventTypeError(type)
    return schema.parse({ type: upcast.type, data: upcast.data })
  }
}
