import type { DocumentRef } from '@portal/platform/read-model/port'
import { describe, expect, it } from 'vitest'
import { userIdAt } from '@portal/notifications/testing/samples'
import { createKnownRecipients } from './known-recipients.ts'

/** Responds to reads with the given states of the read model in turn; the last one stays. */
const changing = (...states: readonly Readonly<Record<string, string>>[]) => {
  const asked: number[] = []
  return {
    asked,
    position: async () => '1',
    getMany: async (refs: readonly DocumentRef[]) => {
      const state = states[Math.min(asked.length, states.length - 1)] ?? {}
      asked.push(refs.length)
      return refs.map(({ key }) => state[key])
    },
  }
}

const [ada, ben, eve] = [userIdAt(1), userIdAt(2), userIdAt(3)]

describe('reading recipients', () => {
  it('reads unknown ids again, and only those', async () => {
    const readModel = changing({ [ada]: 'known' }, {}, { [ben]: 'known' })
    expect(await createKnownRecipients(readModel).find([ada, ben])).toEqual(new Set([ada, ben]))
    expect(readModel.asked).toEqual([2, 1, 1])
  })

  it('does not read erased accounts again', async () => {
    const readModel = changing({ [ada]: 'known', [eve]: 'erased' })
    expect(await createKnownRecipients(readModel).find([ada, eve])).toEqual(new Set([ada]))
    expect(readModel.asked).toEqual([2])
  })

  it('gives up on unknown users', async () => {
    const readModel = changing({ [ada]: 'known' })
    expect(await createKnownRecipients(readModel).find([ada, eve])).toEqual(new Set([ada]))
  })

  it('reads thousands of ids in batches', async () => {
    const userIds = Array.from({ length: 1_200 }, (_, n) => userIdAt(n))
    const readModel = changing(Object.fromEntries(userIds.map((userId) => [userId, 'known'])))
    expect((await createKnownRecipients(readModel).find(userIds)).size).toBe(1_200)
    expect(readModel.asked).toEqual([500, 500, 200])
  })

  it('caches users until the projection writes to their bucket again', async () => {
    const states = { current: { [ada]: 'known' } as Record<string, string>, position: '1', asked: 0 }
    const recipients = createKnownRecipients({
      position: async () => states.position,
      getMany: async (refs) => {
        states.asked += 1
        return refs.map(({ key }) => states.current[key])
      },
    })
    expect(await recipients.find([ada])).toEqual(new Set([ada]))
    expect(await recipients.find([ada])).toEqual(new Set([ada]))
    expect(states.asked).toBe(1)
    states.current = { [ada]: 'erased' }
    states.position = '2'
    expect(await recipients.find([ada])).toEqual(new Set())
  })
})
