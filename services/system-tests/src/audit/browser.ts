import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser that `make test` has found or installed, or the one that CHROMIUM_PATH names. */
export const launchBrowser = (): Promise<Browser> => {
  const candidates = [process.env['CHROMIUM_PATH'], ...usualPaths]
  const found = candidates.find((path) => path !== undefined && existsSync(path))
  return chromium.launch({
    executablePath: found ?? chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  })
}
