import type { Page } from 'playwright-core'

export type Screen = {
  /** The screen's name, as its picture is called. */
  readonly name: string
  readonly path: string
  /** The page as it is with other data than the sample's: its parts are looked at on other screens, too. */
  readonly isState?: boolean
  /** What the portal has in store for this screen. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** What leads from the address to the screen, where it has none of its own. */
  readonly arrive?: (page: Page) => Promise<unknown>
}
