/** How long an answer is remembered. */
export const rememberedMs = 600_000

/** An action that ends neither way within this time was lost with its process. Longer than any request may take. */
export const runningMs = 40_000

type Begun =
  | { /** The caller carries the action out, and then calls `remember` or `forget`. */ readonly kind: 'begun' }
  | { /** Another call is carrying it out. */ readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: string }

/** Port to what remembers the answers to actions, for all processes. One call begins an action; the others get its answer. */
export type RememberedAnswers = {
  begin(id: string): Promise<Begun>
  remember(id: string, answer: string): Promise<void>
  /** The action failed and can be begun again. */
  forget(id: string): Promise<void>
}
