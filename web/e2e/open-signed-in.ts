import type { Page } from 'playwright-core'
import type { Account, Journeys } from './journeys.ts'
import { watchLayout } from './layout-shift.ts'

/** A browser of its own, of somebody who logged in before, at an address; what jumps there is noted. */
export const openSignedIn = async (
  { signedInContext, open }: Pick<Journeys, 'signedInContext' | 'open'>,
  account: Account,
  path: string,
  viewport?: { readonly width: number; readonly height: number },
): Promise<Page> => {
  const context = await signedInContext(account, viewport)
  await watchLayout(context)
  return open(context, path)
}
