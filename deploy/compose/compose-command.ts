import { spawnSync } from 'node:child_process'
import { dockerAnswers } from '../engines/docker-cli.ts'
import { EngineError, repositoryRoot } from '../engines/engine.ts'

const hasCompose = (): boolean =>
  spawnSync('docker', ['compose', 'version'], { stdio: 'ignore', timeout: 10_000 }).status === 0

/** Throws a line that says what is missing. */
export const requireCompose = (): void => {
  if (!dockerAnswers()) {
    throw new EngineError(
      'No Docker engine answers: start Docker, or run the portal without it by make engines-up and make run-distributed',
    )
  }
  if (!hasCompose()) throw new EngineError('docker compose is missing: apt-get install docker-compose-plugin')
}

/** Runs docker compose in the repository, at this terminal. */
export const compose = (...args: string[]): void => {
  const { status } = spawnSync('docker', ['compose', ...args], { cwd: repositoryRoot, stdio: 'inherit' })
  if (status !== 0) throw new EngineError(`docker compose ended with ${status ?? 'a signal'}`)
}
