import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

/** The message of an invalid field whose schema has none: in plain words, with the field's name. */
export const plainIssue: z.core.$ZodErrorMap = ({ code, path = [], input, ...issue }) => {
  const field = path.length === 0 ? 'The request' : path.map(String).join('.')
  if (code === 'invalid_type' && input === undefined) return `${field} is required`
  if (code === 'invalid_type' && 'expected' in issue) {
    const kind = kinds[String(issue.expected)]
    return kind && `${field} must be ${kind}`
  }
  if (code === 'invalid_value' && 'values' in issue && Array.isArray(issue.values))
    return `${field} must be ${issue.values.map(String).join(' or ')}`
  return undefined
}
