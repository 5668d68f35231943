import { expect, it } from 'vitest'
import { z } from 'zod'
import { storedEventReader, UnknownEventTypeError } from './stored-event.ts'

const read = storedEventReader(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('Opened'), data: z.object({ name: z.string() }) }),
    z.object({ type: z.literal('Closed'), data: z.object({}) }),
  ]),
)

it('reads an event of a declared type, without what the schema does not know', () => {
  const stored = { type: 'Opened', data: { name: 'a', color: 'red' }, stream: 'door-1' }
  expect(read(stored)).toEqual({ type: 'Opened', data: { name: 'a' } })
})

it('names a type that is not declared', () => {
  expect(() => read({ type: 'Painted', data: {} })).toThrow(new UnknownEventTypeError('Painted'))
})

it('rejects data that does not fit', () => {
  expect(() => read({ type: 'Opened', data: { name: 7 } })).toThrow(z.ZodError)
})
