import { boundedCache } from '../cache/bounded-cache.ts'
import { rememberedMs, type RememberedAnswers, runningMs } from './port.ts'

/** An answer has some hundred bytes. */
const maxActions = 20_000

/** Remembers answers in this process. A restart forgets them. */
export const createMemoryAnswers = (): RememberedAnswers => {
  const actions = boundedCache<string, { readonly answer?: string }>(maxActions, rememberedMs)
  return {
    begin: async (id) => {
      const known = actions.get(id)
      if (!known) {
        actions.set(id, {}, { ttl: runningMs })
        return { kind: 'begun' }
      }
      return known.answer === undefined ? { kind: 'running' } : { kind: 'answered', answer: known.answer }
    },
    remember: async (id, answer) => void actions.set(id, { answer }),
    forget: async (id) => void actions.delete(id),
  }
}
