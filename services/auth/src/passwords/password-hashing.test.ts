import { readdirSync, readFileSync } from 'node:fs'
import { hash as bareHash } from '@node-rs/argon2'
import { afterEach, describe, expect, test } from 'vitest'
import { createPasswordHashing, type PasswordHashing } from './password-hashing.ts'
import { PasswordsBusyError } from './worker-pool.ts'

let opened: PasswordHashing[] = []
const open = (options: Parameters<typeof createPasswordHashing>[0] = {}) => {
  const hashing = createPasswordHashing(options)
  opened.push(hashing)
  return hashing
}
afterEach(async () => {
  await Promise.all(opened.map((hashing) => hashing.close()))
  opened = []
})

describe('hashing', () => {
  test('returns a different argon2id hash at the configured cost each time', async () => {
    const hashing = open()
    const [first, second] = await Promise.all([hashing.hash('Secret-1'), hashing.hash('Secret-1')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(await hashing.verify(first, 'Secret-1')).toBe('right')
    expect(await hashing.verify(second, 'Secret-1')).toBe('right')
    expect(await hashing.verify(first, 'secret-1')).toBe('wrong')
    expect(await hashing.verify(first, '')).toBe('wrong')
  })

  test('takes é for the same as one character and as two, and hashes what older releases were given', async () => {
    const hashing = open()
    const [one, two] = ['Secrét-1'.normalize('NFC'), 'Secrét-1'.normalize('NFD')]
    for (const hash of await Promise.all([hashing.hash(one), hashing.hash(two)]))
      expect(await Promise.all([one, two].map((typed) => hashing.verify(hash, typed)))).toEqual(['right', 'right'])
    const older = await bareHash(two)
    expect(await hashing.verify(older, two)).toBe('right')
    expect(await hashing.verify(older, `${two}x`)).toBe('wrong')
  })

  test('fails for a malformed hash, and the next call works', async () => {
    const hashing = open({ threads: 1 })
    await expect(hashing.verify('no hash', 'x')).rejects.toThrow('Verifying failed')
    expect(await hashing.verify(await hashing.hash('x'), 'x')).toBe('right')
  })

  test('detects a hash of another cost or kind', async () => {
    const hashing = open()
    expect(hashing.needsRehash(await hashing.hash('x'))).toBe(false)
    expect(hashing.needsRehash(await bareHash('x', { memoryCost: 8_192, timeCost: 2, parallelism: 1 }))).toBe(true)
    expect(hashing.needsRehash(await bareHash('x', { memoryCost: 19_456, timeCost: 3, parallelism: 1 }))).toBe(true)
    expect(hashing.needsRehash(await bareHash('x', { algorithm: 1, memoryCost: 19_456, timeCost: 2 }))).toBe(true)
  })
})

describe('under load', () => {
  test('rejects work beyond the queue and completes accepted work', async () => {
    const hashing = open({ threads: 1, maxQueued: 3 })
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => hashing.hash('x')))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(outcomes.length - refused.length).toBe(4)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PasswordsBusyError)
    await expect(hashing.hash('x')).resolves.toMatch(/^\$argon2id/)
  })

  test.runIf(process.platform === 'linux')(
    'its threads have a lower priority than the rest of the process',
    async () => {
      const threads = () => readdirSync('/proc/self/task')
      const nicenessOf = (thread: string) => {
        const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        return Number(fields[16])
      }
      // A thread of the test before may still be ending, so only new ones count.
      const before = new Set(threads())
      await open({ threads: 1 }).hash('x')
      const added = threads().filter((thread) => !before.has(thread))
      expect(added.map(nicenessOf).filter((niceness) => niceness >= 15)).toHaveLength(1)
    },
  )
})

test('rejects queued and later work after closing', async () => {
  const hashing = open({ threads: 1 })
  const jobs = Promise.allSettled(Array.from({ length: 4 }, () => hashing.hash('x')))
  await hashing.close()
  expect((await jobs).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  await expect(hashing.hash('x')).rejects.toThrow('stopping')
})
