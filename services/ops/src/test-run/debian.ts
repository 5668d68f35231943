import { spawnSync } from 'node:child_process'

export const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 }).status === 0

/** Installs packages of Debian's, where we may: as root, or with a sudo that asks nothing. */
export const installFromDebian = (packages: readonly string[]): boolean => {
  if (!succeeds('sh', ['-c', 'command -v apt-get'])) return false
  const asRoot = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n', 'env']
  if (asRoot[0] === 'sudo' && !succeeds('sh', ['-c', 'command -v sudo && sudo -n true'])) return false
  const apt = (...args: string[]): boolean => {
    const [command = 'env', ...rest] = [...asRoot, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...args]
    return succeeds(command, rest)
  }
  apt('update')
  return apt('install', '-y', '--no-install-recommends', ...packages)
}
