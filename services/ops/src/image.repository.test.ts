import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { importGraph } from './replay/import-graph.ts'
import { repositoryRoot } from './repository-root.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

/** Matches like Docker: the last matching pattern decides, and a pattern for a folder also matches its content. */
const ignored = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }))
const isSent = (path: string): boolean => {
  const fits = ({ pattern }: { readonly pattern: string }) =>
    matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)
  return ignored.findLast(fits)?.isKept ?? true
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: repositoryRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(repositoryRoot, path)))

/** The folders and files that the final stage copies from the sources. */
const dockerfile = read('deploy/Dockerfile')
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
const copied = [...lastStage.matchAll(/^COPY (?!--)(\S+) /gm)].map(([, source]) => source ?? '')
const inImage = tracked.filter(
  (path) => copied.some((source) => path === source || path.startsWith(`${source}/`)) && isSent(path),
)

/** The entry points of the image: the processes, and the commands in docs and schedules. */
const programs = inImage.filter(
  (path) =>
    /^services\/(?:standalone\/src\/main|processes\/src\/\w+)\.ts$/.test(path) ||
    /^services\/ops\/src\/[\w-]+\/(?:[\w-]+-)?main\.ts$/.test(path) ||
    /^services\/ops\/src\/(rotate-keys|grant-event-store|grant-kafka)\.ts$/.test(path),
)

it('the image contains every file that its programs load', () => {
  expect(programs).toEqual(
    expect.arrayContaining(['services/standalone/src/main.ts', 'services/processes/src/delivery.ts']),
  )
  expect(programs.length).toBeGreaterThan(15)
  const held = new Set(inImage)
  const needed = new Set(programs.flatMap((program) => [...importGraph(repositoryRoot, program).files.keys()]))
  expect([...needed].filter((path) => !held.has(path))).toEqual([])
})

it('the image contains no tests, stand-ins or programs that start engines', () => {
  const fromEngines = ['tools/engines/src/engine-kinds.ts', 'tools/engines/src/required-commands.ts']
  expect(copied).toEqual(['contracts/src', 'services', ...fromEngines])
  const unwanted =
    /\.test\.|\/testing\/|stand-in|\/contract\/|contract\.ts$|^services\/system-tests\/src|^services\/ops\/src\/seed\.ts$/
  expect(inImage.filter((path) => unwanted.test(path))).toEqual([])
})
