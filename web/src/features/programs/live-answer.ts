import type { Answer } from '../../lib/http.ts'
import type { Loading } from '../../lib/use-answer.ts'
import type { Apply, CatalogChange } from './apply-catalog-change.ts'

/**
 * An answer that follows the changes. Those that come during a fetch are kept and applied to what it brings, for nobody knows
 * which of them it has seen; a fetch takes 20 s at most, so there are never many.
 */
export type LiveAnswer<T> = {
  readonly shown: Loading<T>
  /** The fetch whose answer is waited for. Only the latest counts. */
  readonly round: number | null
  readonly meanwhile: readonly CatalogChange[]
}

export type LiveAction<T> =
  | { readonly kind: 'asked'; readonly round: number; readonly isOther: boolean }
  | { readonly kind: 'answered'; readonly round: number; readonly answer: Answer<T> }
  | { readonly kind: 'changed'; readonly change: CatalogChange }

export const nothingYet: LiveAnswer<never> = { shown: { kind: 'loading' }, round: null, meanwhile: [] }

const settled = <T>(live: LiveAnswer<T>, answer: Answer<T>, apply: Apply<T>): Loading<T> => {
  if (answer.success) return { kind: 'loaded', data: live.meanwhile.reduce(apply, answer.data) }
  // What is on the screen stays there while the server cannot be reached, but not when there is no such thing any more.
  const stays = live.shown.kind === 'loaded' && answer.code !== 'not-found'
  return stays ? live.shown : { kind: 'failed', failure: answer }
}

export const advance = <T>(live: LiveAnswer<T>, action: LiveAction<T>, apply: Apply<T>): LiveAnswer<T> => {
  switch (action.kind) {
    case 'asked':
      return {
        shown: action.isOther || live.shown.kind === 'failed' ? { kind: 'loading' } : live.shown,
        round: action.round,
        meanwhile: [],
      }
    case 'answered':
      return action.round === live.round
        ? { shown: settled(live, action.answer, apply), round: null, meanwhile: [] }
        : live
    case 'changed':
      return {
        ...live,
        shown:
          live.shown.kind === 'loaded' ? { kind: 'loaded', data: apply(live.shown.data, action.change) } : live.shown,
        meanwhile: live.round === null ? [] : [...live.meanwhile, action.change],
      }
  }
}
