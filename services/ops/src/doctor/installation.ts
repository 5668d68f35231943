import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { missingCommands, type RequiredCommand } from '@portal/engines/required-commands'
import { repositoryRoot } from '../repository-root.ts'
import { fail, type Finding, type Findings, info, ok, warn } from './finding.ts'

const wantedNode = 24

const checkNode = (): Finding => {
  const major = Number.parseInt(process.versions.node, 10)
  return major >= wantedNode
    ? ok('Node.js', process.version)
    : fail(
        'Node.js',
        `this is ${process.version}`,
        `use ${wantedNode} or newer, which npm ci installs: rm -rf node_modules, then make types`,
      )
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional(), link: z.boolean().optional() }),
  ),
})
const packagesIn = (file: string) =>
  lockSchema.parse(JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8'))).packages

/** Compares with the lock file. Ignores optional packages, which are usually for other platforms. */
const checkPackages = (): Finding => {
  const todo = 'rm -rf node_modules, then make types'
  if (!existsSync(join(repositoryRoot, 'node_modules/.package-lock.json')))
    return fail('npm packages', 'they are not installed', todo)
  const installed = packagesIn('node_modules/.package-lock.json')
  const wanted = Object.entries(packagesIn('package-lock.json')).filter(
    ([path, { link, optional }]) => path.startsWith('node_modules/') && !link && !optional,
  )
  const wrong = wanted.filter(([path, { version }]) => installed[path]?.version !== version)
  if (wrong.length === 0) return ok('npm packages', `${wanted.length}, all in the versions of the lock file`)
  const names = wrong.slice(0, 5).map(([path]) => path.slice('node_modules/'.length))
  return fail('npm packages', `${wrong.length} are missing or have another version: ${names.join(', ')}`, todo)
}

const checkWebBuild = (): Finding => {
  const page = join(repositoryRoot, 'web/dist/index.html')
  if (!existsSync(page)) return fail('web client', 'it has not been built, so there are no pages', 'make build')
  return ok('web client', `built ${statSync(page).mtime.toISOString()}`)
}

const checkTool = (command: RequiredCommand): Finding => {
  const [missing] = missingCommands([command])
  return info(command, `${missing ?? 'installed'} (optional: for make test and make engines-up)`)
}

const checkBrowser = (): Finding => {
  const paths = [
    process.env['CHROMIUM_PATH'] ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ]
  const path = paths.find((candidate) => candidate !== '' && existsSync(candidate))
  return info(
    'chromium',
    `${path ?? 'not found: make test installs it, or set CHROMIUM_PATH'} (optional: for make test)`,
  )
}

/** The limit of open files is also the limit of connections. */
const usefulFiles = 10_000

export const fileLimitOf = (limits: string): number => {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  return soft === undefined || soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

const checkFileLimit = (): Finding => {
  if (!existsSync('/proc/self/limits')) return info('open files', 'the limit is unknown on this system')
  const limit = fileLimitOf(readFileSync('/proc/self/limits', 'utf8'))
  if (limit >= usefulFiles) return ok('open files', `${limit === Number.POSITIVE_INFINITY ? 'no limit' : limit}`)
  return warn(
    'open files',
    `at most ${limit}: each open tab needs one, and further connections fail`,
    'ulimit -n 65536',
  )
}

/** Checks the programs and limits of this machine. */
export const checkInstallation = (): Findings => [
  checkNode(),
  checkPackages(),
  checkWebBuild(),
  checkFileLimit(),
  ...(['redis-server', 'java', 'mvn'] as const).map(checkTool),
  checkBrowser(),
]
