import { open } from 'node:fs/promises'
import { z } from 'zod'
import { parseJson } from '../files/parse-json.ts'

const lineSchema = z.object({ at: z.string(), channel: z.string(), userIds: z.array(z.string()).optional() })

const newline = 0x0a

/** Start and end of each complete line, without the line break. */
function* linesOf(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  let start = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    yield [start, end]
    start = end + 1
  }
}

/** A line of the same length, which only says that there was a message. Spaces at its end keep it valid JSON. */
const blankLineOf = (line: Buffer, userId: string): Buffer | undefined => {
  if (!line.includes(userId)) return undefined
  const { data: message } = lineSchema.safeParse(parseJson(line.toString()))
  if (!message?.userIds?.includes(userId)) return undefined
  const { at, channel } = message
  const blank = JSON.stringify({ at, channel, to: '', text: '' })
  return Buffer.from(blank.padEnd(line.length))
}

/**
 * Overwrites in place the messages of a mailbox file that are about this person. Other processes append to the file meanwhile, and
 * a copy without the lines would lose what they append.
 */
export const forgetLines = async (file: string, userId: string): Promise<void> => {
  try {
    await using handle = await open(file, 'r+')
    const bytes = await handle.readFile()
    for (const [start, end] of linesOf(bytes)) {
      const blank = blankLineOf(bytes.subarray(start, end), userId)
      if (blank) await handle.write(blank, 0, blank.length, start)
    }
  } catch (error) {
    // Nothing has been sent yet.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
