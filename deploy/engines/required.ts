import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { EngineError } from './engine.ts'

export type RequiredCommand = 'redis-server' | 'java' | 'mvn'

/** What to do about a command that is missing, one line each. */
const remedies: Readonly<Record<RequiredCommand, string>> = {
  'redis-server': 'Redis is missing: apt-get install redis-server',
  java: 'Java 17 or newer is missing, which Kafka needs: apt-get install default-jre-headless',
  mvn: "Maven is missing, which fetches Kafka's jars: apt-get install maven",
}

const oldestJava = 17

const pathOf = (command: string): string | undefined => {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false // not there, or not for us: the next folder is looked at
    }
  })
}

/** `openjdk version "17.0.15"`, on the error output; before 9 it was `"1.8.0"`. */
const javaVersionOf = (path: string): number => {
  const { stderr } = spawnSync(path, ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0)
}

const find = (command: RequiredCommand): string | undefined => {
  const path = pathOf(command)
  return path !== undefined && command === 'java' && javaVersionOf(path) < oldestJava ? undefined : path
}

/** The command's path. Throws the line that says how to get it. */
export const requireCommand = (command: RequiredCommand): string => {
  const path = find(command)
  if (path === undefined) throw new EngineError(remedies[command])
  return path
}

/** Those of `commands` that this machine does not have, with what to do about each. */
export const missingCommands = (commands: readonly RequiredCommand[]): readonly string[] =>
  commands.filter((command) => find(command) === undefined).map((command) => remedies[command])
