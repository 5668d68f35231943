import { createHash } from 'node:crypto'

/** A script is called by its hash; whoever does not know it is sent the source. */
export type Script = {
  readonly source: string
  readonly sha: string
  /** Then a user who may only read may run it. */
  readonly isReadOnly: boolean
}

const scriptOf = (source: string, isReadOnly: boolean): Script => ({
  source,
  isReadOnly,
  sha: createHash('sha1').update(source).digest('hex'),
})

export const script = (source: string): Script => scriptOf(source, false)

export const readingScript = (source: string): Script => scriptOf(source, true)
