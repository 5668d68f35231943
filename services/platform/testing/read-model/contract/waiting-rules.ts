import { describe, expect, it } from 'vitest'
import type { UnderTest } from './harness.ts'

export const waitingRules = (under: UnderTest): void => {
  const { commit, open } = under
  describe('waiting', () => {
    it('RM-22 answers at once for what is applied, false after the time-out for what is not', async () => {
      await commit('p', undefined, '005', [])
      expect(await under.readModel.whenApplied('a', 'p', '005', 1_000)).toBe(true)
      expect(await under.readModel.whenApplied('a', 'p', '004', 1_000)).toBe(true)
      expect(await under.readModel.whenApplied('a', 'p', '006', 20)).toBe(false)
      expect(await under.readModel.whenApplied('a', 'q', '001', 20)).toBe(false)
      expect(await under.readModel.whenApplied('b', 'p', '001', 20)).toBe(false)
    })

    it('RM-23 a commit answers those who wait for it or for less, and nobody else', async () => {
      const waiting = ['004', '005', '006'].map((position) => under.readModel.whenApplied('a', 'p', position, 30_000))
      const elsewhere = under.readModel.whenApplied('a', 'q', '005', 30)
      await commit('p', undefined, '005', [])
      expect(await Promise.all([waiting[0], waiting[1], elsewhere])).toEqual([true, true, false])
      await commit('p', '005', '006', [])
      expect(await waiting[2]).toBe(true)
    })

    it('RM-24 a commit made through another connection is noticed too', async () => {
      const other = await open('main')
      const waiting = under.readModel.whenApplied('a', 'p', '005', 30_000)
      await other.commit({ projection: 'a', partition: 'p', expected: undefined, position: '005', writes: [] })
      expect(await waiting).toBe(true)
    })
  })
}
