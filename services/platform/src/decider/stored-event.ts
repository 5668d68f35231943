import type { z } from 'zod'

/** An event as the store returns it, before its data has been checked. */
type StoredEvent = { readonly type: string; readonly data: unknown }

/**
 * Converts an event of one former shape to the next shape. Returns undefined for every other event, including its own results. Pure.
 * A category lists its upcasters in `upcasters.ts`, next to its `events.ts`, the oldest shape first.
 */
export type Upcaster = (stored: StoredEvent) => StoredEvent | undefined

/** The event type is not declared, because a newer release recorded the event. */
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
 * Returns the parser for stored events of one category. It converts former shapes to the current one. It throws an
 * UnknownEventTypeError for a type that the schema does not declare, and a ZodError for invalid data.
 */
export const storedEventReader = <Schema extends EventSchema>(schema: Schema, upcasters: readonly Upcaster[] = []) => {
  const known = new Set<string>(schema.options.map(({ shape }) => shape.type.value))
  return ({ type, data }: StoredEvent): z.output<Schema> => {
    const upcast = upcasters.reduce<StoredEvent>((event, upcaster) => upcaster(event) ?? event, { type, data })
    if (!known.has(upcast.type)) throw new UnknownEventTypeError(type)
    return schema.parse({ type: upcast.type, data: upcast.data })
  }
}
