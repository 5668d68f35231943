import { expect, it } from 'vitest'
import { ReplayRunningError } from '../generations/replay-lock.ts'
import { ConfigError } from '../settings/config.ts'
import { messageOrStack } from './error-kinds.ts'

it('is a line where a person can mend it', () => {
  expect(messageOrStack(new ConfigError('PORT must be a number'))).toBe('PORT must be a number')
  expect(messageOrStack(new ReplayRunningError())).toMatch(/^Another replay is running;.*$/)
})

it('is the stack of anything else, whatever it is called', () => {
  const unknown = Object.assign(new Error('unexpected'), { name: 'ConfigError' })
  expect(messageOrStack(unknown)).toContain('marks.test.ts')
  expect(messageOrStack('thrown as text')).toBe('thrown as text')
})
