import { InvalidAppendError } from './errors.ts'

const maxStreamNameChars = 250

const validName = /^[a-zA-Z][a-zA-Z0-9]*-\P{Cc}+$/u

/** `category-id` */
export const streamOf = (category: string, id: string): string => `${category}-${id}`

/** The part before the first hyphen. */
export const categoryOf = (stream: string): string => {
  const hyphen = stream.indexOf('-')
  return hyphen === -1 ? stream : stream.slice(0, hyphen)
}

/** Throws on a name that some store might change. */
export const checkStreamName = (stream: string): void => {
  if (stream.length > maxStreamNameChars || !validName.test(stream) || !stream.isWellFormed()) {
    throw new InvalidAppendError(`Not a stream name: ${JSON.stringify(stream.slice(0, maxStreamNameChars))}`)
  }
}
