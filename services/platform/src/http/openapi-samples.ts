import { z } from 'zod'

/** The parts of a JSON schema that a sample depends on. */
const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  format: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  propertyNames: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
})
type Schema = z.infer<typeof schemaSchema>

const parse = (schema: unknown): Schema => schemaSchema.catch({}).parse(schema)

const id = '019c2f4e-8a10-7c3b-9d52-6f1e8b7a4c01'
const time = '2026-11-24T10:30:00.000Z'

/** Values by field name. The names mean the same on all routes, except for those in `besideLogo` and `inAnswers`. */
const byName: Readonly<Record<string, unknown>> = {
  personalEmail: 'learner-0001@example.com',
  email: 'learner-0001@example.com',
  password: 'Monsoon-Lamp-47',
  currentPassword: 'Monsoon-Lamp-47',
  newPassword: 'Harbor-Violin-82',
  fullName: 'Asha Verma',
  mobileNumber: '9876543210',
  universityName: 'Eastbrook University',
  otpEmail: '482913',
  otpMobile: '157604',
  token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIwMTljMmY0ZSJ9.c2lnbmF0dXJl',
  studentCode: 'MIN-2026-0001',
  profileImage: '',
  name: 'Eastbrook University',
  programId: 'MIN-AI-01',
  programName: 'Minor in AI',
  detail: 'Machine learning from the first regression to a model in production.',
  fee: '₹45,000',
  collegeName: 'Center for Continuing Education',
  eligibility: 'Any undergraduate degree, from the second year on',
  logoUrl: '/media/tools/python.svg',
  imageUrl: '/media/facts/campus.svg',
  content: 'Three days on campus after the first semester',
  highlight: '3 days',
  file: 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAQAcJaQAA3AA/v3AgAA=',
  url: '/pictures/9f86d081884c7d659a2feaa0c55ad015',
  image: '/pictures/9f86d081884c7d659a2feaa0c55ad015',
  title: 'Exam schedule',
  message: 'The AI exam is on December 12 at 10 AM. Bring your student ID.',
  userIds: [id],
  everyone: true,
  label: 'Choose your center',
  reason: 'Wrong date in the message',
  q: 'asha',
  sentence: 'Learners of AI whose payment is pending: 41 people',
  says: 'Shown in an open tab.',
  retryAfterSeconds: 30,
  from: '22:00',
  to: '07:00',
  timeZone: 'Asia/Kolkata',
  lang: 'hi',
  notificationLanguage: 'hi',
}

/** A tool has a name as well. */
const besideLogo: Readonly<Record<string, unknown>> = { name: 'Python' }
/** The address of a button leads out of the portal. */
const besideLabel: Readonly<Record<string, unknown>> = { url: 'https://example.com/exam-centers' }
/** Samples for answers, where `message` is about the call. */
const inAnswers: Readonly<Record<string, unknown>> = { message: 'Success' }

type Direction = 'request' | 'answer'

const named = (name: string, siblings: object, direction: Direction): unknown => {
  // A notification has a message of its own.
  if (direction === 'answer' && !('title' in siblings) && name in inAnswers) return inAnswers[name]
  if ('logoUrl' in siblings && name in besideLogo) return besideLogo[name]
  if ('label' in siblings && name in besideLabel) return besideLabel[name]
  return byName[name]
}

const sampleOfText = ({ format }: Schema): string => {
  if (format === 'date-time') return time
  if (format === 'date') return time.slice(0, 10)
  return format === 'uuid' ? id : 'text'
}

const typeOf = ({ type }: Schema): string | undefined => (Array.isArray(type) ? type[0] : type)

const isOfType = (value: unknown, schema: Schema): boolean => {
  const type = typeOf(schema)
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return typeof value === 'number'
  // A schema without a type has alternatives.
  return type === undefined ? (schema.anyOf ?? []).some((one) => isOfType(value, parse(one))) : typeof value === type
}

const sampleOfObject = (schema: Schema, direction: Direction): Record<string, unknown> => {
  const { properties = {}, required = [] } = schema
  const entries = Object.entries(properties).flatMap(([name, given]): [string, unknown][] => {
    const property = parse(given)
    const value = named(name, properties, direction)
    // 'byte' is base64. Other formats have samples of their own.
    const isFree = property.format === undefined || property.format === 'byte'
    if (value !== undefined && isFree && isOfType(value, property)) return [[name, value]]
    // Optional parts can exclude each other, as the two ways to select recipients do.
    return required.includes(name) || direction === 'answer' ? [[name, sampleOf(given, direction)]] : []
  })
  return {
    ...Object.fromEntries(keysOf(schema).map((key) => [key, sampleOf(schema.additionalProperties, direction)])),
    ...Object.fromEntries(entries),
  }
}

/** The fixed keys of a record. */
const keysOf = ({ propertyNames }: Schema): readonly string[] =>
  (propertyNames === undefined ? [] : (parse(propertyNames).enum ?? [])).filter((key) => typeof key === 'string')

/** A plausible value of a JSON schema. */
export const sampleOf = (given: unknown, direction: Direction): unknown => {
  const schema = parse(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative !== undefined) return sampleOf(alternative, direction)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, direction)))
  switch (typeOf(schema)) {
    case 'object':
      return sampleOfObject(schema, direction)
    case 'array':
      return [sampleOf(schema.items, direction)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return sampleOfText(schema)
  }
}
