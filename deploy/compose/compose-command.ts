import { spawnSync } from 'node:child_process'
import { isDockerAvailable } from '@portal/engines/docker-cli'
import { CommandError } from '@portal/ops/command'
import { repositoryRoot } from '@portal/ops/repository-root'

const hasCompose = (): boolean =>
  spawnSync('docker', ['compose', 'version'], { stdio: 'ignore', timeout: 10_000 }).status === 0

/** Throws a one-line error that names what is missing. */
export const requireCompose = (): void => {
  if (!isDockerAvailable()) {
    throw new CommandError(
      'No Docker engine answers: start Docker, or run the portal without it by make engines-up and make run-distributed',
    )
  }
  if (!hasCompose()) throw new CommandError('docker compose is missing: apt-get install docker-compose-plugin')
}

/** Runs docker compose in the repository with inherited standard streams. */
export const compose = (...args: string[]): void => {
  const { status } = spawnSync('docker', ['compose', ...args], { cwd: repositoryRoot, stdio: 'inherit' })
  if (status !== 0) throw new CommandError(`docker compose ended with ${status ?? 'a signal'}`)
}
