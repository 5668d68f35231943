import { expect, it } from 'vitest'
import { logLineText, reasonLine } from './command-logger.ts'

const zodReason = `ZodError: ${JSON.stringify(
  [{ origin: 'string', code: 'invalid_format', path: ['data', 'userIds', 0], message: 'The id is not valid' }],
  undefined,
  2,
)}`

it('prints the errors of a schema in one line', () => {
  expect(reasonLine(zodReason)).toBe('data.userIds.0: The id is not valid')
  expect(reasonLine('TypeError: x is\n not a function')).toBe('TypeError: x is not a function')
  // A recorded reason may be cut off.
  expect(reasonLine(`${zodReason.slice(0, 60)}${'x'.repeat(300)}`)).toMatch(/^ZodError: \[ \{ .*…$/)
})

it('prints a log line as text', () => {
  const fields = { level: 'error', time: '2026-11-29T08:00:00.000Z', projection: 'ledger', reason: zodReason }
  expect(logLineText(JSON.stringify({ ...fields, msg: 'message dead-lettered' }))).toBe(
    'message dead-lettered: projection ledger, reason data.userIds.0: The id is not valid',
  )
  const err = { type: 'Error', message: 'no such table', stack: 'Error: …' }
  expect(logLineText(JSON.stringify({ level: 'warn', err, name: 'inbox-main', msg: 'generation not dropped' }))).toBe(
    'generation not dropped: name inbox-main, no such table',
  )
})

it('prints a line without a message, or with an error of any kind', () => {
  expect(logLineText(JSON.stringify({ level: 'warn', name: 'inbox-main' }))).toBe('name inbox-main')
  expect(logLineText(JSON.stringify({ level: 'warn' }))).toBe('warning')
  const textOf = (err: unknown) => logLineText(JSON.stringify({ level: 'warn', err, msg: 'not dropped' }))
  expect(textOf('no such table')).toBe('not dropped: no such table')
  expect(textOf({ code: 14 })).toBe('not dropped: {"code":14}')
  expect(textOf({ message: 5 })).toBe('not dropped: {"message":5}')
  expect(textOf(null)).toBe('not dropped')
  expect(logLineText(JSON.stringify({ level: 'warn', msg: { code: 14 } }))).toBe('{"code":14}')
  expect(logLineText('not JSON\n')).toBe('not JSON')
  expect(logLineText('[1]')).toBe('[1]')
})
