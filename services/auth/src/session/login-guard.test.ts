import { createMemoryLimiters } from '@portal/platform/limits/memory'
import { expect, test } from 'vitest'
import { defaultAuthLimits, type AuthLimits } from '../auth-limits.ts'
import { createLoginGuard } from './login-guard.ts'
import { createProgressiveDelay } from './progressive-delay.ts'

/** A guard whose delayed attempts wait until the test ends. */
const startGuard = () => {
  const elapsedMs = () => 0
  const limiters = createMemoryLimiters({ elapsedMs })
  const limiter = (name: keyof AuthLimits) => limiters.of(name, defaultAuthLimits[name])
  const delaysMs: number[] = []
  const sleep = (ms: number) => new Promise<void>(() => void delaysMs.push(ms))
  const guard = createLoginGuard({
    perEmailAndAddress: limiter('logInFailuresPerEmailAndAddress'),
    perEmail: [limiter('logInFailuresPerEmail')],
    perAddress: limiter('logInFailuresPerAddress'),
    perDevice: limiter('logInFailuresPerDevice'),
    successesPerEmail: limiter('logInsPerEmail'),
    progressiveDelay: createProgressiveDelay({ elapsedMs, sleep }),
  })
  return { guard, delaysMs }
}

const emailIndex = 'owner'
const home = '198.51.100.1'
const stranger = (n: number) => ({ emailIndex, address: `203.0.113.${n}` })

test('while an account is guessed from many networks, a new device of its owner at a known address neither waits nor queues', async () => {
  const { guard, delaysMs } = startGuard()
  const before = await guard.begin({ emailIndex, address: home })
  if (before.ok) await before.value.succeed()

  for (let n = 0; n < 8; n += 1) {
    const guess = await guard.begin(stranger(n))
    if (guess.ok) guess.value.fail()
  }
  for (let n = 8; n < 18; n += 1) void guard.begin(stranger(n))
  expect(await guard.begin(stranger(18))).toMatchObject({ ok: false, error: { code: 'unavailable' } })
  const waiting = delaysMs.length

  expect(await guard.begin({ emailIndex, address: home })).toMatchObject({ ok: true })
  expect(delaysMs).toHaveLength(waiting)
})

test('wrong passwords at a known address delay no stranger, and have a limit of their own', async () => {
  const { guard, delaysMs } = startGuard()
  const before = await guard.begin({ emailIndex, address: home })
  if (before.ok) await before.value.succeed()

  const outcomes: boolean[] = []
  for (let n = 0; n < 11; n += 1) {
    const guess = await guard.begin({ emailIndex, address: home })
    if (guess.ok) guess.value.fail()
    outcomes.push(guess.ok)
  }
  expect(outcomes).toEqual([...Array.from({ length: 10 }, () => true), false])
  expect(await guard.begin(stranger(1))).toMatchObject({ ok: true })
  expect(delaysMs).toEqual([])
})
