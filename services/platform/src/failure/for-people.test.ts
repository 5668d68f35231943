import { expect, it } from 'vitest'
import { ReplayRunningError } from '../generations/replay-lock.ts'
import { ConfigError } from '../runtime/config.ts'
import { lineOrStack } from './for-people.ts'

it('is a line where a person can mend it', () => {
  expect(lineOrStack(new ConfigError('PORT must be a number'))).toBe('PORT must be a number')
  expect(lineOrStack(new ReplayRunningError())).toMatch(/^Another replay is running;.*$/)
})

it('is the stack of anything else, whatever it is called', () => {
  const unknown = Object.assign(new Error('unexpected'), { name: 'ConfigError' })
  expect(lineOrStack(unknown)).toContain('for-people.test.ts')
  expect(lineOrStack('thrown as text')).toBe('thrown as text')
})
