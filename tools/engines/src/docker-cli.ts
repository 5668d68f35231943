import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

export const isDockerAvailable = (): boolean =>
  spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0

export const docker = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('docker', args)).stdout.trim()
