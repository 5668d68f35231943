import { printable, shorten } from '../output/print.ts'
import { moment, table } from '../output/format.ts'
import type { DeadLetter, DeadLetters } from './list-dead-letters.ts'

const reasonChars = 120

export const countOf = (found: readonly DeadLetters[]): number => found.reduce((sum, { count }) => sum + count, 0)

const counts = (found: readonly DeadLetters[]): string =>
  found.map(({ projection, count }) => `${count} of ${projection}`).join(', ')

/** How many, and the oldest of them with what they failed on. */
export const deadLettersText = (found: readonly DeadLetters[], oldest: readonly DeadLetter[]): string => {
  if (found.length === 0) return 'No messages are parked.'
  const rows = oldest.map(({ projection, partition, key, type, position, since, reason }) => [
    projection,
    partition,
    key,
    type,
    position,
    moment(since),
    shorten(reason.replaceAll(/\s+/g, ' '), reasonChars),
  ])
  const all = countOf(found)
  const lines = [
    `${all} parked: ${counts(found)}.`,
    '',
    ...table(['projection', 'partition', 'key', 'type', 'position', 'since', 'reason'], rows).split('\n'),
    ...(rows.length < all ? [`… and ${all - rows.length} more (LIMIT)`] : []),
  ]
  return lines.map(printable).join('\n')
}
