import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxTokensPerPush, type PushMessage, type PushSender } from '../../src/outbound/port.ts'

type PushHarness = {
  readonly sender: PushSender
  /** New tokens that receive pushes. */
  tokens(count: number): readonly string[]
  /** The messages that the provider has received so far. */
  delivered(): Promise<readonly { readonly token: string; readonly title: string; readonly url: string }[]>
  dispose(): Promise<void>
}

const message: PushMessage = {
  notificationId: '0199a7c0-0000-7000-8000-000000000001',
  title: 'Exam',
  body: 'On Monday',
  url: '/notification/0199a7c0-0000-7000-8000-000000000001',
  type: 'Exam',
}

/** The contract tests of a push sender. Each adapter calls them with its own harness. */
export const pushContract = (name: string, makeHarness: () => Promise<PushHarness>): void => {
  describe(`${name} as a push sender`, () => {
    let harness: PushHarness
    beforeEach(async () => {
      harness = await makeHarness()
    })
    afterEach(() => harness.dispose())

    it('sends the message to each token, and returns outcomes in the order of the tokens', async () => {
      const tokens = harness.tokens(3)
      expect(await harness.sender.send(tokens, message)).toEqual(tokens.map(() => ({ kind: 'accepted' })))
      const delivered = [...(await harness.delivered())].toSorted((a, b) => a.token.localeCompare(b.token))
      const sorted = tokens.toSorted((a, b) => a.localeCompare(b))
      expect(delivered).toEqual(sorted.map((token) => ({ token, title: 'Exam', url: message.url })))
    })
    it('accepts as many tokens as the port allows, and no more', async () => {
      const tokens = harness.tokens(maxTokensPerPush)
      expect(await harness.sender.send(tokens, message)).toHaveLength(maxTokensPerPush)
      await expect(harness.sender.send([...tokens, ...harness.tokens(1)], message)).rejects.toThrow(RangeError)
      expect(await harness.delivered()).toHaveLength(maxTokensPerPush)
    })
    it('sends nothing without tokens', async () => {
      expect(await harness.sender.send([], message)).toEqual([])
      expect(await harness.delivered()).toEqual([])
    })
    it('accepts the longest text', async () => {
      const long = { ...message, title: '😀'.repeat(100), body: '"ü€😀\n'.repeat(1_000) }
      expect(await harness.sender.send(harness.tokens(1), long)).toEqual([{ kind: 'accepted' }])
    })
    it('can be closed without having sent anything', async () => {
      await expect(harness.sender.close()).resolves.toBeUndefined()
    })
  })
}

/** Tokens of a provider that takes any text. */
export const anyTokens = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `t${n}`)
