import type { Page } from 'playwright-core'
import type { Journeys } from './journeys.ts'
import { watchLayout } from './layout-shift.ts'
import type { Account } from './sample-portal.ts'

/** A browser of its own, signed in by the form, at an address; what jumps there is noted. */
export const openSignedIn = async (
  { newContext, signIn }: Pick<Journeys, 'newContext' | 'signIn'>,
  { email, password }: Account,
  path: string,
  viewport?: { readonly width: number; readonly height: number },
): Promise<Page> => {
  const context = await newContext(viewport)
  await watchLayout(context)
  const page = await signIn(context, email, password)
  await page.goto(path)
  return page
}
