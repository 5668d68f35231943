import { createHash } from 'node:crypto'

/** A script is called by its hash; whoever does not know it is sent the source. */
export type Script = { readonly source: string; readonly sha: string }

export const script = (source: string): Script => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
})
