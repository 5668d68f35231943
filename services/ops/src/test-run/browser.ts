import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installFromDebian, succeeds } from './debian.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not there, or not for us: the next candidate is looked at
  }
}

const installedBrowser = (): string | undefined => {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return chosen
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

const downloadFromPlaywright = (): boolean =>
  succeeds(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])

/**
 * Sees to it that there is a browser for the journeys. Returns its path, or undefined when Playwright's own has been
 * downloaded, which Playwright finds by itself. Throws with what to do when none could be had.
 */
export const provideBrowser = (): string | undefined => {
  const found = installedBrowser()
  if (found) return found
  process.stderr.write('Installing a browser for the journeys …\n')
  const installed = installFromDebian(['chromium', 'fonts-liberation']) ? installedBrowser() : undefined
  if (installed) return installed
  if (downloadFromPlaywright()) return undefined
  throw new Error('No browser could be installed. Install Chromium, or set CHROMIUM_PATH to one.')
}
