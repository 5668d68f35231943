import { printable, shorten } from '../output/print.ts'
import { moment } from '../output/format.ts'
import type { ShownEvent } from './mask.ts'

const itemsShown = 3
const dataChars = 300

const wordsOf = (value: unknown): string => {
  if (typeof value === 'string') return /^[\w.:…«» @+-]+$/.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsShown).map(wordsOf)
    const rest = value.length > itemsShown ? [`${value.length - itemsShown} more`] : []
    return `[${[...items, ...rest].join(', ')}]`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${wordsOf(inner)}`)
    .join(', ')}}`
}

const lineOf = ({ position, at, stream, revision, type, data, metadata }: ShownEvent): string => {
  const actor = metadata.actorId === undefined ? '' : ` by ${metadata.actorId}`
  const head = `${position}  ${moment(at)}  ${stream} #${revision}  ${type}${actor}`
  return printable(`${head}  ${shorten(wordsOf(data), dataChars)}`)
}

/** A line each, the newest last. */
export const eventLines = (events: readonly ShownEvent[], isCut: boolean, isAfter: boolean): string => {
  if (events.length === 0) return 'No events.'
  const lines = events.map(lineOf)
  const last = events.at(-1)
  if (isCut && isAfter) lines.push(`… there are more: AFTER=${last?.position}`)
  if (isCut && !isAfter) lines.unshift('… older ones are not shown (LIMIT, AFTER, SINCE)')
  return lines.join('\n')
}
