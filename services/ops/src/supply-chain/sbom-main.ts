import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { CommandError, runCommand } from '../command.ts'

const maxBytes = 64 * 1024 * 1024

const manifestSchema = z.looseObject({ devDependencies: z.unknown().optional() })
const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({ dev: z.boolean().optional(), devDependencies: z.unknown().optional() }),
  ),
})

const withoutTools = ({ devDependencies: _tools, ...rest }: z.infer<typeof manifestSchema>) => rest

const writeJson = (file: string, content: unknown): void => writeFileSync(file, JSON.stringify(content))

/**
 * Copies manifests and lock file without development dependencies. `npm sbom --omit=dev` also omits packages that production needs, and
 * without the option it fails on two packages of a tool.
 */
const copyForProduction = (folder: string): void => {
  const lock = lockSchema.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => !dev)
  writeJson(join(folder, 'package-lock.json'), {
    ...lock,
    packages: Object.fromEntries(packages.map(([path, entry]) => [path, withoutTools(entry)])),
  })
  for (const [path] of packages.filter(([name]) => !name.includes('node_modules'))) {
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')))
    mkdirSync(join(folder, path), { recursive: true })
    writeJson(join(folder, path, 'package.json'), withoutTools(manifest))
  }
}

/** `make sbom`: writes the production dependencies to a file in CycloneDX format. Works offline. */
await runCommand(() => {
  const [file = 'sbom.cdx.json'] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'portal-sbom-'))
  try {
    copyForProduction(folder)
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'],
      { cwd: folder, encoding: 'utf8', maxBuffer: maxBytes },
    )
    if (status !== 0) throw new CommandError(`npm sbom failed: ${stderr.trim().split('\n')[0] ?? ''}`)
    writeFileSync(file, stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
