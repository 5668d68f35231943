import { EventIdReusedError, InvalidAppendError } from './errors.ts'
import type { ExpectedRevision, NewEvent } from './port.ts'
import { checkStreamName } from './stream-name.ts'

export const appendLimits = { events: 1_000, jsonBytes: 1024 * 1024, typeChars: 200 } as const

/** A new event as JSON text. Live subscribers get events parsed from the same text that is stored. */
export type SerializedEvent = {
  readonly id: string
  readonly type: string
  readonly data: string
  /** Null for an event without metadata. */
  readonly metadata: string | null
}

export type SerializedAppend = { readonly events: readonly SerializedEvent[]; readonly jsonBytes: number }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const serialize = (event: NewEvent): SerializedEvent => {
  const { id, type } = event
  if (!uuid.test(id)) throw new InvalidAppendError(`Not an event id: ${JSON.stringify(id)}`)
  if (type.length < 1 || type.length > appendLimits.typeChars || !type.isWellFormed()) {
    throw new InvalidAppendError(`An event's type has 1 to ${appendLimits.typeChars} characters`)
  }
  const data: string | undefined = JSON.stringify(event.data)
  if (data === undefined || event.data === null) throw new InvalidAppendError(`The data of ${type} is not JSON`)
  return { id, type, data, metadata: event.metadata === undefined ? null : JSON.stringify(event.metadata) }
}

/** Serializes an append. Throws on what every adapter has to reject (ES-3, ES-5, ES-12, ES-13). */
export const serializeAppend = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): SerializedAppend => {
  checkStreamName(stream)
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
    throw new InvalidAppendError(`Not a revision: ${expected}`)
  }
  if (events.length < 1 || events.length > appendLimits.events) {
    throw new InvalidAppendError(`An append has 1 to ${appendLimits.events} events, not ${events.length}`)
  }
  const serialized = events.map(serialize)
  if (events.length > 1 && new Set(serialized.map((event) => event.id)).size < events.length) {
    throw new EventIdReusedError(`An append to ${stream} has an event id twice`)
  }
  let jsonBytes = 0
  for (const { data, metadata } of serialized) {
    jsonBytes += Buffer.byteLength(data) + (metadata === null ? 0 : Buffer.byteLength(metadata))
  }
  if (jsonBytes > appendLimits.jsonBytes) {
    throw new InvalidAppendError(`An append has at most ${appendLimits.jsonBytes} bytes of JSON, not ${jsonBytes}`)
  }
  return { events: serialized, jsonBytes }
}

/** `last` is the stream's last revision, or -1 for a stream without events. */
export const matchesExpectedRevision = (expected: ExpectedRevision, last: number): boolean =>
  expected === 'any' || (expected === 'no-stream' ? last === -1 : expected === last)
