/** What the server sends is checked as it is taken up; zod would cost more than the reading. */
const unexpected = (what: string, reply: unknown): Error =>
  new Error(`Redis answered ${reply === null ? 'null' : typeof reply} where ${what} was expected`)

export const listOf = (reply: unknown): readonly unknown[] => {
  if (!Array.isArray(reply)) throw unexpected('a list', reply)
  return reply
}

/** Undefined for what is not there. */
export const textOf = (reply: unknown): string | undefined => {
  if (reply === null || reply === undefined) return undefined
  if (typeof reply !== 'string') throw unexpected('text', reply)
  return reply
}

export const textsOf = (reply: unknown): readonly (string | undefined)[] => listOf(reply).map(textOf)

export const mapOf = (reply: unknown): readonly (readonly [string, string])[] => {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) throw unexpected('a map', reply)
  return Object.entries(reply).map(([field, value]) => [field, textOf(value) ?? ''])
}
