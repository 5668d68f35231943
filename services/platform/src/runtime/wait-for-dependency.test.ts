import { expect, it } from 'vitest'
import { ConfigError } from '../settings/config.ts'
import { DependencyUnavailableError, waitForDependency, type Dependency } from './wait-for-dependency.ts'

const lines: string[] = []
const note = (_facts: object, line: string) => void lines.push(line)
const logger = { warn: note, info: note } as never // only these two are called

/** A dependency controlled by the test. */
const engine = () => {
  const state = { opens: 0, closed: 0, upAtAttempt: 1, servesAtAttempt: 1 }
  const open = async (): Promise<Dependency> => {
    state.opens += 1
    if (state.opens < state.upAtAttempt) throw new Error('connect ECONNREFUSED')
    const serves = state.opens >= state.servesAtAttempt
    return {
      check: async () => {
        if (!serves) throw new Error('loading')
      },
      close: async () => void (state.closed += 1),
    }
  }
  return { state, open }
}

it('waits for an unavailable engine, and logs it once', async () => {
  lines.length = 0
  const { state, open } = engine()
  state.upAtAttempt = 3
  await waitForDependency('bus', open, { logger })
  expect(state.opens).toBe(3)
  expect(lines).toEqual(['dependency unavailable, retrying', 'dependency available'])
})

it('closes a dependency that opens but fails its check', async () => {
  const { state, open } = engine()
  state.servesAtAttempt = 2
  await waitForDependency('bus', open, { logger })
  expect(state).toMatchObject({ opens: 2, closed: 1 })
})

it('fails with one line after the timeout', async () => {
  const { state, open } = engine()
  state.upAtAttempt = 100
  const given = waitForDependency('event store', open, { logger, timeoutMs: 300 })
  await expect(given).rejects.toThrow('The event store did not answer for 0 s: connect ECONNREFUSED')
  await expect(given).rejects.toBeInstanceOf(DependencyUnavailableError)
})

it('does not wait after a permanent error', async () => {
  const wrong = new ConfigError('BUS_URL must be')
  let opens = 0
  const open = async (): Promise<Dependency> => {
    opens += 1
    throw wrong
  }
  await expect(waitForDependency('bus', open, { logger })).rejects.toBe(wrong)
  expect(opens).toBe(1)
})
