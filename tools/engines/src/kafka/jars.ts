import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EngineError, requireCommand } from '../engine.ts'

const repositoryRoot = join(import.meta.dirname, '../../../..')
const pom = join(import.meta.dirname, 'pom.xml')
const fetchTimeoutMs = 300_000

const versionIn = (text: string): string => {
  const version = /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([^<]+)</.exec(text)?.[1]
  if (version === undefined) throw new EngineError(`${pom} has no version of Kafka`)
  return version
}

const messageOf = (error: unknown): string => {
  const { stdout, message } = error as { stdout?: string; message: string } // as execFile rejects
  return (stdout?.split('\n').find((line) => line.startsWith('[ERROR]')) ?? message).slice(0, 300)
}

const jarsFolder = (): string =>
  join(repositoryRoot, 'node_modules/.cache/portal-engines', `kafka-${versionIn(readFileSync(pom, 'utf8'))}`)

export const areJarsFetched = (): boolean => existsSync(jarsFolder())

/** The folder with the broker's jars. Maven downloads them the first time, about 43 MB, and caches them in ~/.m2. */
export const kafkaJars = async (): Promise<string> => {
  const folder = jarsFolder()
  if (existsSync(folder)) return folder
  const maven = requireCommand('mvn')
  // Downloaded to another folder and renamed, so that the folder is always complete, even if two processes download.
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
    if (!existsSync(folder))
      throw new EngineError(`Maven could not download Kafka: ${messageOf(error)}`, { cause: error })
  }
  return folder
}
