import { userIdAt } from '@portal/notifications/testing/samples'
import { deriveKeys } from '@portal/platform/personal-data/master-key'
import { expect, it } from 'vitest'
import { createUnsubscribeTokens } from './unsubscribe-token.ts'

const keyOf = (byte: number) => deriveKeys(Buffer.alloc(32, byte)).unsubscribe
const tokens = createUnsubscribeTokens(keyOf(1))
const [ada, ben] = [userIdAt(1), userIdAt(2)]

it('names its user, the same in each process and after each start', () => {
  expect(tokens.userOf(createUnsubscribeTokens(keyOf(1)).of(ada))).toBe(ada)
})

it('is recognized by its portal only, and only as a whole', () => {
  const token = tokens.of(ada)
  const signature = token.slice(token.indexOf('.') + 1)
  const foreign = createUnsubscribeTokens(keyOf(2)).of(ada)
  const broken = [foreign, `${ben}.${signature}`, token.slice(0, -4), ada, `${ada}.`, signature, `x.${signature}`, '']
  expect(broken.filter((each) => tokens.userOf(each) !== undefined)).toEqual([])
})

it('needs no encoding in an address', () => {
  const token = tokens.of(ada)
  expect(encodeURIComponent(token)).toBe(token)
})
