import type { DocumentRef } from '@portal/platform/read-model/port'
import { describe, expect, it } from 'vitest'
import { userIdAt } from '../testing/samples.ts'
import { findKnownRecipients } from './known-recipients.ts'

/** Answers look-ups one after the other from the given states of the read model; the last one stays. */
const changing = (...states: readonly Readonly<Record<string, string>>[]) => {
  const asked: number[] = []
  return {
    asked,
    getMany: async (refs: readonly DocumentRef[]) => {
      const state = states[Math.min(asked.length, states.length - 1)] ?? {}
      asked.push(refs.length)
      return refs.map(({ key }) => state[key])
    },
  }
}

const [ada, ben, eve] = [userIdAt(1), userIdAt(2), userIdAt(3)]

describe('looking up recipients', () => {
  it('finds those who exist', async () => {
    const readModel = changing({ [ada]: 'known', [ben]: 'known' })
    expect(await findKnownRecipients(readModel, [ada, ben])).toEqual(new Set([ada, ben]))
    expect(readModel.asked).toEqual([2])
  })

  it('asks again for those it has not heard of yet, and for them only', async () => {
    const readModel = changing({ [ada]: 'known' }, {}, { [ben]: 'known' })
    expect(await findKnownRecipients(readModel, [ada, ben])).toEqual(new Set([ada, ben]))
    expect(readModel.asked).toEqual([2, 1, 1])
  })

  it('does not ask again for those whose account was erased', async () => {
    const readModel = changing({ [ada]: 'known', [eve]: 'erased' })
    expect(await findKnownRecipients(readModel, [ada, eve])).toEqual(new Set([ada]))
    expect(readModel.asked).toEqual([2])
  })

  it('gives up on strangers', async () => {
    const readModel = changing({ [ada]: 'known' })
    expect(await findKnownRecipients(readModel, [ada, eve])).toEqual(new Set([ada]))
  })

  it('looks up thousands in slices', async () => {
    const userIds = Array.from({ length: 1_200 }, (_, n) => userIdAt(n))
    const readModel = changing(Object.fromEntries(userIds.map((userId) => [userId, 'known'])))
    expect((await findKnownRecipients(readModel, userIds)).size).toBe(1_200)
    expect(readModel.asked).toEqual([500, 500, 200])
  })
})
