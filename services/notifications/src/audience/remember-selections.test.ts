import { expect, it } from 'vitest'
import { rememberSelections } from './remember-selections.ts'

const selecting = () => {
  const calls: string[] = []
  let failures = 0
  const select = rememberSelections(async ({ q }: { readonly q: string }, { name }: { readonly name: string }) => {
    calls.push(`${q} of ${name}`)
    if (failures > 0) {
      failures -= 1
      throw new Error('the read model went back')
    }
    return [q]
  })
  return { select, calls, failNext: () => void failures++ }
}

it('selects once for equal filters of one snapshot, also for those who ask at the same time', async () => {
  const { select, calls } = selecting()
  const [first, second] = [{ name: 'first' }, { name: 'second' }]
  const [a, b] = await Promise.all([select({ q: 'ada' }, first), select({ q: 'ada' }, first)])
  expect(a).toBe(b)
  await select({ q: 'ben' }, first)
  await select({ q: 'ada' }, first)
  expect(calls).toEqual(['ada of first', 'ben of first'])
  await select({ q: 'ada' }, second)
  expect(calls).toEqual(['ada of first', 'ben of first', 'ada of second'])
})

it('selects again after a failure', async () => {
  const { select, calls, failNext } = selecting()
  const snapshot = { name: 'first' }
  failNext()
  await expect(select({ q: 'ada' }, snapshot)).rejects.toThrow('went back')
  expect(await select({ q: 'ada' }, snapshot)).toEqual(['ada'])
  expect(calls).toHaveLength(2)
})

it('forgets the filters that were used longest ago', async () => {
  const { select, calls } = selecting()
  const snapshot = { name: 'first' }
  for (let n = 0; n <= 16; n++) await select({ q: String(n) }, snapshot)
  await select({ q: '16' }, snapshot)
  expect(calls).toHaveLength(17)
  await select({ q: '0' }, snapshot)
  expect(calls).toHaveLength(18)
})
