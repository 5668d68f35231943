import type { Failure } from '../../../../lib/http.ts'

const ofRow = /^contacts\.(\d+)(?:\.|$)/

/** What the server says of single rows of a list. */
export const rowErrors = (
  failure: Failure | undefined,
): readonly { readonly index: number; readonly message: string }[] =>
  Object.entries(failure?.errors ?? {}).flatMap(([path, message]) => {
    const index = ofRow.exec(path)?.[1]
    return index === undefined ? [] : [{ index: Number(index), message }]
  })
