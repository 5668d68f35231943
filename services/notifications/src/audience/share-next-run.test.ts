import { describe, expect, it } from 'vitest'
import { shareNextRun } from './share-next-run.ts'

describe('sharing the next run', () => {
  it('runs once for all calls during a run, after it', async () => {
    const runs: (() => void)[] = []
    const run = shareNextRun(() => new Promise<number>((resolve) => runs.push(() => resolve(runs.length))))
    const first = run()
    await Promise.resolve()
    const [second, third] = [run(), run()]
    expect(runs).toHaveLength(1)
    runs[0]?.()
    expect(await first).toBe(1)
    await Promise.resolve()
    expect(runs).toHaveLength(2)
    runs[1]?.()
    expect(await Promise.all([second, third])).toEqual([2, 2])
  })

  it('runs again after a failure', async () => {
    let runs = 0
    const run = shareNextRun(async () => {
      runs += 1
      if (runs === 1) throw new Error('failed')
      return runs
    })
    await expect(run()).rejects.toThrow('failed')
    expect(await run()).toBe(2)
  })
})
