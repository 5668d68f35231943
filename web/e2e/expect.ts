import { expect as playwrightExpect } from '@playwright/test'

/** Checks pages, locators and plain values. On a page or a locator it waits, like `expect.poll`, as long as `until` of platform/testing. */
export const expect = playwrightExpect.configure({ timeout: 20_000 })
