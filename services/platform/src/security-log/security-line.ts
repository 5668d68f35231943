import { mostValueChars, type SecurityEvent } from './security-log.ts'

/** Not escaped by JSON, but line ends or reordering marks to some terminals and log readers. */
const deceptive = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const bounded = (value: string): string =>
  value.length > mostValueChars ? `${value.slice(0, mostValueChars - 1)}…` : value

/** One line that no value of a caller can break or extend: JSON escapes line ends, and each value is bounded. */
export const securityLine = (time: Date, event: SecurityEvent): string => {
  const values = Object.entries(event).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, bounded(String(value))] as const],
  )
  const line = JSON.stringify({ time: time.toISOString(), log: 'security', ...Object.fromEntries(values) })
  return `${line.replaceAll(deceptive, escaped)}\n`
}
