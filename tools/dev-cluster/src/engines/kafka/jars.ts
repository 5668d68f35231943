import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '@portal/ops/repository-root'
import { EngineError, requireCommand } from '../engine.ts'

const pom = join(import.meta.dirname, 'pom.xml')
const fetchTimeoutMs = 300_000

const versionIn = (text: string): string => {
  const version = /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([^<]+)</.exec(text)?.[1]
  if (version === undefined) throw new EngineError(`${pom} names no version of Kafka`)
  return version
}

const messageOf = (error: unknown): string => {
  const { stdout, message } = error as { stdout?: string; message: string } // as execFile rejects
  return (stdout?.split('\n').find((line) => line.startsWith('[ERROR]')) ?? message).slice(0, 300)
}

const jarsFolder = (): string =>
  join(repositoryRoot, 'node_modules/.cache/portal-engines', `kafka-${versionIn(readFileSync(pom, 'utf8'))}`)

export const areJarsFetched = (): boolean => existsSync(jarsFolder())

/** The folder with the broker's jars. Fetched by Maven the first time, some 43 MB; Maven keeps its own copy in ~/.m2. */
export const kafkaJars = async (): Promise<string> => {
  const folder = jarsFolder()
  if (existsSync(folder)) return folder
  const maven = requireCommand('mvn')
  // Fetched beside and renamed, so that a folder of that name is always whole, whoever else fetches at the same time.
  const partial = `${folder}.${process.pid}`
  await mkdir(dirname(folder), { recursive: true })
  try {
    await promisify(execFile)(
      maven,
      ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`],
      { timeout: fetchTimeoutMs },
    )
    await rename(partial, folder)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!existsSync(folder)) throw new EngineError(`Maven could not fetch Kafka: ${messageOf(error)}`, { cause: error })
  }
  return folder
}
