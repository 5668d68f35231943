import { expect, it } from 'vitest'
import { ReplayRunningError } from '../generations/replay-lock.ts'
import { ConfigError } from '../settings/config.ts'
import { messageOrStack } from './error-kinds.ts'

it('prints only the message of a user-facing error', () => {
  expect(messageOrStack(new ConfigError('PORT must be a number'))).toBe('PORT must be a number')
  expect(messageOrStack(new ReplayRunningError())).toMatch(/^Another replay is running;.*$/)
})

it('prints the stack of any other error, whatever its name', () => {
  const unknown = Object.assign(new Error('unexpected'), { name: 'ConfigError' })
  expect(messageOrStack(unknown)).toContain('error-kinds.test.ts')
  expect(messageOrStack('thrown as text')).toBe('thrown as text')
})
