import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export type RequiredCommand = 'redis-server' | 'java' | 'mvn'

/** How to install each command. */
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
      return false // missing or not executable
    }
  })
}

/** Java prints `openjdk version "17.0.15"` to standard error; before version 9 it was `"1.8.0"`. */
const javaVersionOf = (path: string): number => {
  const { stderr } = spawnSync(path, ['-version'], { encoding: 'utf8' })
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0)
}

/** The path of the command; undefined if it is missing or too old. */
export const findCommand = (command: RequiredCommand): string | undefined => {
  const path = pathOf(command)
  return path !== undefined && command === 'java' && javaVersionOf(path) < oldestJava ? undefined : path
}

/** One line per missing command, with the way to install it. */
export const missingCommands = (commands: readonly RequiredCommand[]): readonly string[] =>
  commands.filter((command) => findCommand(command) === undefined).map((command) => remedies[command])
