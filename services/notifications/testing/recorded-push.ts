import type { PushMessage, PushOutcome, PushSender } from '@portal/platform/outbound/port'

export type RecordedPush = PushSender & {
  readonly calls: { readonly tokens: readonly string[]; readonly message: PushMessage }[]
  /** The provider's result for a token; 'accepted' by default. Throw to simulate an outage. */
  answer: (token: string) => PushOutcome | Promise<PushOutcome>
  pushedTokens(): readonly string[]
}

/** A push provider that records its calls. */
export const createRecordedPush = (): RecordedPush => {
  const recorded: RecordedPush = {
    calls: [],
    answer: () => ({ kind: 'accepted' }),
    pushedTokens: () => recorded.calls.flatMap(({ tokens }) => tokens),
    send: async (tokens, message) => {
      const outcomes = tokens.map((token) => recorded.answer(token))
      recorded.calls.push({ tokens, message })
      return Promise.all(outcomes)
    },
    close: async () => undefined,
  }
  return recorded
}
