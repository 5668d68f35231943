import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importGraph, importsOf } from './import-graph.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const outbound = 'services/platform/src/outbound/'
/** Puts planned campaigns into inboxes. */
const distribution = 'services/notifications/src/distribution/'
/** Sends what was confirmed or scheduled. */
const heldSends = /(held-send\/(due-sends|send-held)|scheduled-send\/send-scheduled)\.ts$/
/** Everything that can send: e-mail, SMS, pushes, sockets and web requests. */
const senders = /^(nodemailer|firebase-admin|socket\.io|twilio|undici|axios|got|fastify|@fastify\/)/

const reached = (entry: string) => {
  const { files, packages, computed } = importGraph(root, entry)
  return {
    files: [...files.keys()],
    outbound: [...files].filter(([file]) => file.startsWith(outbound)),
    senders: [...packages].filter(([name]) => senders.test(name)),
    computed,
  }
}

describe('RP-7 RS-7 a replay, a restore and a move cannot send anything', () => {
  it.each([
    'services/ops/src/replay/main.ts',
    'services/ops/src/replay/rollback-main.ts',
    'services/ops/src/backup/check-main.ts',
    'services/ops/src/restore/main.ts',
    'services/ops/src/move-log/main.ts',
  ])('%s', (entry) => {
    const found = reached(entry)
    expect(found.outbound).toEqual([])
    expect(found.senders).toEqual([])
    expect(found.computed).toEqual([])
    expect(found.files.filter((file) => file.startsWith(distribution) || heldSends.test(file))).toEqual([])
    // The graph is not empty: it has the projections and the dynamically imported adapters.
    expect(found.files).toEqual(
      expect.arrayContaining([
        'services/notifications/src/inbox/projection.ts',
        'services/platform/src/read-model/redis.ts',
        'services/platform/src/read-model/sqlite/checkpoint-worker.ts',
        'services/platform/src/event-store/eventstoredb.ts',
        'contracts/src/shared/event-envelope.ts',
      ]),
    )
  })

  it('unlike the portal and its delivery worker', () => {
    expect(reached('services/standalone/src/main.ts').outbound).not.toEqual([])
    expect(reached('services/standalone/src/main.ts').senders).not.toEqual([])
    const { files } = reached('services/standalone/src/main.ts')
    expect(files).toContain(`${distribution}distributor.ts`)
    expect(files.filter((file) => heldSends.test(file))).toHaveLength(3)
  })
})

describe('the import graph', () => {
  let folder: string
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'imports-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const write = (file: string, source: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), source)
  }
  const filesFrom = (entry: string) => [...importGraph(folder, entry).files.keys()].toSorted()

  it('finds every form of import', () => {
    const forms = [
      "import { openOutbound } from './out.ts'",
      "import './out.ts'",
      "import def, {\n  a,\n  type B,\n} from './out.ts'",
      "export * from './out.ts'",
      "export { a } from './out.ts'",
      "const { a } = await import('./out.ts')",
      'void import(`./out.ts`).then((m) => m.a)',
      "new Worker(new URL('./out.ts', import.meta.url))",
      "import { x } from '@portal/platform/out'",
      "import { type A } from './a.ts' // './b.ts'\nimport { x } from './out.ts'",
    ]
    write('services/platform/src/out.ts', 'export const a = 1')
    write('services/platform/src/a.ts', '')
    const overlooked = forms.filter((source) => {
      write('services/platform/src/entry.ts', source)
      return !filesFrom('services/platform/src/entry.ts').includes('services/platform/src/out.ts')
    })
    expect(overlooked).toEqual([])
  })

  it('ignores imports that do not exist at runtime', () => {
    expect(importsOf("import type { A } from './a.ts'\nexport type { B } from './b.ts'\n// import './c.ts'")).toEqual(
      [],
    )
  })

  it('reports computed imports', () => {
    write('services/x/src/entry.ts', 'const a = await import(`./${process.env.WHERE}.ts`)')
    expect(importGraph(folder, 'services/x/src/entry.ts').computed).toEqual(['services/x/src/entry.ts'])
  })
})
