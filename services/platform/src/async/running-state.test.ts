import { expect, it } from 'vitest'
import { createRunningState } from './running-state.ts'

it('runs until it is stopped', () => {
  const state = createRunningState(() => new Error('The bus is closed'))
  expect(state.isStopped()).toBe(false)
  expect(state.signal.aborted).toBe(false)
  expect(state.assertRunning).not.toThrow()
  state.stop()
  expect(state.isStopped()).toBe(true)
  expect(state.signal.aborted).toBe(true)
  expect(state.assertRunning).toThrow('The bus is closed')
})

it('returns true for the first stop only', () => {
  const state = createRunningState()
  expect([state.stop(), state.stop()]).toEqual([true, false])
})
