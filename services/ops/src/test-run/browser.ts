import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

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

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0

/** Debian's own, where we may install: as root, or with a sudo that asks nothing. */
const installFromDebian = (): boolean => {
  if (!succeeds('sh', ['-c', 'command -v apt-get'])) return false
  const asRoot = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n', 'env']
  if (asRoot[0] === 'sudo' && !succeeds('sh', ['-c', 'command -v sudo && sudo -n true'])) return false
  const apt = (...args: string[]): boolean => {
    const [command = 'env', ...rest] = [...asRoot, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args]
    return succeeds(command, rest)
  }
  apt('update')
  return apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation')
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
  const installed = installFromDebian() ? installedBrowser() : undefined
  if (installed) return installed
  if (downloadFromPlaywright()) return undefined
  throw new Error('No browser could be installed. Install Chromium, or set CHROMIUM_PATH to one.')
}
