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

const logSchema = z.record(z.string(), z.unknown())
const errorSchema = z.object({ message: z.string() })

const valueText = (value: unknown): string => reasonLine(typeof value === 'string' ? value : JSON.stringify(value))

/** An `err` may be anything that was thrown. */
const errorText = (err: unknown): readonly string[] => {
  const error = errorSchema.safeParse(err)
  if (error.success) return [reasonLine(error.data.message)]
  return err === undefined || err === null ? [] : [valueText(err)]
}

const parsedLine = (line: string): Readonly<Record<string, unknown>> => {
  try {
    return logSchema.parse(JSON.parse(line))
  } catch {
    return { msg: line.trim() }
  }
}

/** `message dead-lettered: projection inbox, partition b07, reason …`. Never throws, because a log line must not end a command. */
export const logLineText = (line: string): string => {
  const { msg, err, level: _level, time: _time, ...fields } = parsedLine(line)
  const shown = [...Object.entries(fields).map(([name, value]) => `${name} ${valueText(value)}`), ...errorText(err)]
  const message = typeof msg === 'string' ? [printable(msg)] : msg === undefined ? [] : [valueText(msg)]
  return [...message, ...(shown.length === 0 ? [] : [shown.join(', ')])].join(': ') || 'warning'
}

/** Prints the warnings of platform code on standard error, in one readable line each. */
export const createCommandLogger = () =>
  createLogger({
    level: 'warn',
    destination: { write: (line) => void process.stderr.write(`${logLineText(line)}\n`) },
  })
