import type { PushMessage, PushOutcome, PushSender } from '@portal/platform/outbound/port'

export type RecordedPush = PushSender & {
  readonly calls: { readonly tokens: readonly string[]; readonly message: PushMessage }[]
  /** How the provider answers for a token; 'accepted' unless said otherwise. Throws when it takes nothing over. */
  answer: (token: string) => PushOutcome
  pushedTokens(): readonly string[]
}

/** A push provider that writes down what it is given. */
export const createRecordedPush = (): RecordedPush => {
  const recorded: RecordedPush = {
    calls: [],
    answer: () => ({ kind: 'accepted' }),
    pushedTokens: () => recorded.calls.flatMap(({ tokens }) => tokens),
    send: async (tokens, message) => {
      const outcomes = tokens.map((token) => recorded.answer(token))
      recorded.calls.push({ tokens, message })
      return outcomes
    },
    close: async () => undefined,
  }
  return recorded
}
