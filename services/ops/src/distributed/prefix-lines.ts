import type { Readable, Writable } from 'node:stream'

/** A line that does not end is passed on in parts. */
const mostChars = 64 * 1024

/** Passes on what a process says, line by line, with its name in front. */
export const prefixLines = (from: Readable, to: Writable, prefix: string): void => {
  let rest = ''
  const pass = (line: string): void => void to.write(`${prefix}${line}\n`)
  from.setEncoding('utf8')
  from.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) pass(line)
    if (rest.length > mostChars) {
      pass(rest)
      rest = ''
    }
  })
  from.on('end', () => {
    if (rest !== '') pass(rest)
  })
}
