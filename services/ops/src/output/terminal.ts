import type { Environment } from './print.ts'

/** How to print to this output. */
export type Terminal = {
  /** Lines are cut to this width; undefined if they stay whole. */
  readonly width?: number
  readonly isColored: boolean
}

type Output = { readonly isTTY?: boolean; readonly columns?: number }

/** On a terminal, lines are colored and cut to its width. LONG=1 keeps them whole, NO_COLOR omits the colors. */
export const terminalOf = (output: Output, environment: Environment, isLong: boolean): Terminal => {
  const isTerminal = output.isTTY === true
  return {
    ...(isTerminal && !isLong && output.columns !== undefined && { width: output.columns }),
    isColored: isTerminal && !environment['NO_COLOR'],
  }
}

const codes = { dim: 2, bold: 1, cyan: 36, yellow: 33 } as const

/** A piece of a line. Its text has no control characters. */
export type Piece = { readonly text: string; readonly style?: keyof typeof codes }

/** A line of pieces, cut and colored. Colors do not count as characters. */
export const lineOfPieces = (pieces: readonly Piece[], { width, isColored }: Terminal): string => {
  let left = width ?? Number.POSITIVE_INFINITY
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0)
  const isCut = total > left
  if (isCut) left -= 1
  const shown = pieces.map(({ text, style }) => {
    const part = text.slice(0, Math.max(0, left))
    left -= part.length
    return isColored && style !== undefined && part !== '' ? `\u001B[${codes[style]}m${part}\u001B[0m` : part
  })
  return `${shown.join('')}${isCut ? '…' : ''}`
}
