import { expect, it } from 'vitest'
import { lineOfPieces, terminalOf } from './terminal.ts'

const pieces = [{ text: 'first ', style: 'bold' }, { text: 'second' }] as const

it('cuts a line to the width of the terminal, without counting colors', () => {
  expect(lineOfPieces(pieces, { isColored: false })).toBe('first second')
  expect(lineOfPieces(pieces, { width: 12, isColored: false })).toBe('first second')
  expect(lineOfPieces(pieces, { width: 9, isColored: false })).toBe('first se…')
  expect(lineOfPieces(pieces, { width: 9, isColored: true })).toBe('\u001B[1mfirst \u001B[0mse…')
  expect(lineOfPieces(pieces, { width: 4, isColored: true })).toBe('\u001B[1mfir\u001B[0m…')
})

it('uses colors and the width of a terminal, unless asked not to', () => {
  const screen = { isTTY: true, columns: 80 }
  expect(terminalOf(screen, {}, false)).toEqual({ width: 80, isColored: true })
  expect(terminalOf(screen, {}, true)).toEqual({ isColored: true })
  expect(terminalOf(screen, { NO_COLOR: '1' }, false)).toEqual({ width: 80, isColored: false })
  expect(terminalOf({}, {}, false)).toEqual({ isColored: false })
})
