import { createLogger } from '@portal/platform/observability/logger'
import { z } from 'zod'
import { printable, shorten } from './print.ts'

const reasonChars = 200

const issuesSchema = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))

const issuesIn = (text: string): z.infer<typeof issuesSchema> => {
  try {
    return issuesSchema.parse(JSON.parse(text))
  } catch {
    return []
  }
}

/** A recorded or logged reason in one line. The errors of a schema are JSON: `data.userIds.0: The id is not valid`. */
export const reasonLine = (reason: string): string => {
  const issues = issuesIn(reason.replace(/^\$?ZodError: /, ''))
  const text = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  return shorten(printable((text || reason).replaceAll(/\s+/g, ' ')), reasonChars)
}

const logSchema = z.object({ msg: z.string(), err: z.object({ message: z.string() }).optional() }).catchall(z.unknown())

const fieldText = ([name, value]: readonly [string, unknown]): string =>
  `${name} ${reasonLine(typeof value === 'string' ? value : JSON.stringify(value))}`

/** `message dead-lettered: projection inbox, partition b07, reason …` */
export const logLineText = (line: string): string => {
  const { msg, err, level: _level, time: _time, ...fields } = logSchema.parse(JSON.parse(line))
  const shown = [...Object.entries(fields).map(fieldText), ...(err ? [reasonLine(err.message)] : [])]
  return shown.length === 0 ? msg : `${msg}: ${shown.join(', ')}`
}

/** Prints the warnings of platform code on standard error, in one readable line each. */
export const createCommandLogger = () =>
  createLogger({
    level: 'warn',
    destination: { write: (line) => void process.stderr.write(`${logLineText(line)}\n`) },
  })
