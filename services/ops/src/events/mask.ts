import type { RecordedEvent } from '@portal/platform/event-store/port'
import { categoryOf } from '@portal/platform/event-store/stream-name'
import { moment } from '../output/format.ts'
import { printable, shorten } from '../output/print.ts'
import { lineOfPieces, type Piece, type Terminal } from '../output/terminal.ts'

/** A printed event. */
export type ShownEvent = Pick<
  RecordedEvent,
  'position' | 'at' | 'stream' | 'revision' | 'type' | 'id' | 'data' | 'metadata'
>

/** Fields with constants or buckets. */
const plainFields: ReadonlySet<string> = new Set(
  'role rights type state kind reason lang bucket buckets channels'.split(' '),
)
/** The catalog and names of universities are public, names of users are not. Operations contain the operators' input. */
const plainFieldsIn: Readonly<Record<string, ReadonlySet<string>>> = {
  university: new Set(['name']),
  device: new Set(['deviceName']),
  session: new Set(['deviceName']),
  secondfactor: new Set('label transports day'.split(' ')),
  program: new Set(
    'programId programName detail fee collegeName eligibility name logoUrl content imageUrl highlight'.split(' '),
  ),
  enrollment: new Set('programName currentSemester paymentStatus paidOn'.split(' ')),
  learnerInvitation: new Set(['programName']),
  operation: new Set(
    'by account command stream category type after since limit projection projections from to at nodes file files madeAt'.split(
      ' ',
    ),
  ),
}
/** The reason is what an admin wrote to the other admins, not a constant. */
const typesWithFreeReason: ReadonlySet<string> = new Set([
  'CancelRequested',
  'ResendRequested',
  'CampaignRecalled',
  'UserDeactivated',
  'AdminRemoved',
  'PaymentsReverted',
  'EnrollmentWithdrawn',
])
/** A password hash, the hash that it replaces, the secret of an authenticator app, and a passkey. */
export const credentialFields: ReadonlySet<string> = new Set([
  'credential',
  'replaces',
  'secret',
  'credentialId',
  'publicKey',
])
/** Encrypted with a user's key. */
const encryptedFields: ReadonlySet<string> = new Set(['profile', 'token', 'reference', 'address', ...credentialFields])

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
const isMoment = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

const hashes = /\b([0-9a-f]{8})[0-9a-f]{24,}\b/g
/** Shortens keyed hashes of addresses, numbers and tokens: enough to compare two, not enough to look one up. */
export const shortenHashes = (text: string): string => text.replaceAll(hashes, '$1…')

const maskText = (field: string, text: string, isPlain: (field: string) => boolean): string => {
  if (encryptedFields.has(field)) return '«encrypted»'
  if (isId(text) || isMoment(text)) return text
  if (isPlain(field)) return shortenHashes(text)
  const shortened = shortenHashes(text)
  return /^[0-9a-f]{8}…$/.test(shortened) ? shortened : `«${text.length} characters»`
}

/** Hides all fields except those listed above, so that a new field never shows personal data. */
const maskData = (value: unknown, isPlain: (field: string) => boolean, field = ''): unknown => {
  if (typeof value === 'string') return maskText(field, value, isPlain)
  if (Array.isArray(value)) return value.map((item) => maskData(item, isPlain, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskData(inner, isPlain, name)]))
}

const plainFieldsOf =
  (category: string, type: string) =>
  (field: string): boolean =>
    !(field === 'reason' && typesWithFreeReason.has(type)) &&
    (plainFields.has(field) || plainFieldsIn[category]?.has(field) === true)

export const maskEvent = (event: RecordedEvent): ShownEvent => {
  const { position, at, stream, revision, type, id, data, metadata } = event
  return {
    position,
    at,
    stream: shortenHashes(stream),
    revision,
    type,
    id,
    data: maskData(data, plainFieldsOf(categoryOf(stream), type)),
    metadata,
  }
}

const itemsShown = 3
const dataChars = 300

const compactText = (value: unknown): string => {
  if (typeof value === 'string') return /^[\w.:…«» @+-]+$/.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsShown).map(compactText)
    const rest = value.length > itemsShown ? [`${value.length - itemsShown} more`] : []
    return `[${[...items, ...rest].join(', ')}]`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${compactText(inner)}`)
    .join(', ')}}`
}

const lineOf = (
  { position, at, stream, revision, type, data, metadata }: ShownEvent,
  terminal: Terminal,
  isLong: boolean,
): string => {
  const actor = metadata.actorId === undefined ? '' : ` by ${metadata.actorId}`
  const text = compactText(data)
  const pieces: readonly Piece[] = [
    { text: `${position}  `, style: 'dim' },
    { text: `${moment(at)}  `, style: 'dim' },
    { text: `${stream} #${revision}  `, style: 'cyan' },
    { text: type, style: 'bold' },
    { text: actor, style: 'yellow' },
    { text: `  ${isLong ? text : shorten(text, dataChars)}` },
  ]
  return lineOfPieces(
    pieces.map((piece) => ({ ...piece, text: printable(piece.text) })),
    terminal,
  )
}

type Shape = {
  /** More events match than are shown. */
  readonly isCut: boolean
  /** The oldest events after a position, instead of the newest ones. */
  readonly isAfter: boolean
  /** Shows all data of each event. */
  readonly isLong?: boolean
  readonly terminal?: Terminal
}

/** One line per event, newest last. */
export const eventLines = (
  events: readonly ShownEvent[],
  { isCut, isAfter, isLong = false, terminal = { isColored: false } }: Shape,
): string => {
  if (events.length === 0) return 'No events.'
  const lines = events.map((event) => lineOf(event, terminal, isLong))
  const last = events.at(-1)
  if (isCut && isAfter) lines.push(`… more: set AFTER=${last?.position}`)
  if (isCut && !isAfter) lines.unshift('… older events are not shown (set LIMIT, AFTER or SINCE)')
  return lines.join('\n')
}
