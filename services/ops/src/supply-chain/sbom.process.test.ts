import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const bomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string() })),
})

it('make sbom lists production dependencies with versions, and no test tools', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sbom.cdx.json')
  execFileSync('make', ['sbom', `SBOM=${file}`], { cwd: root, stdio: 'pipe' })
  const { components } = bomSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  const names = new Set(components.map(({ name }) => name))
  expect(components.length).toBeGreaterThan(400)
  for (const name of ['fastify', 'jose', 'kafkajs', 'react', 'redis', 'node']) expect(names).toContain(name)
  for (const name of ['vitest', 'playwright-core', 'lighthouse', 'typescript']) expect(names).not.toContain(name)
})
