import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

/**
 * The lint rules that keep the parts apart, each shown to catch what it is there for: a rule whose glob or pattern no
 * longer fits would pass everything without a word.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const rulesFile = '.oxlintrc.json'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundaries-'))
  copyFileSync(join(root, rulesFile), join(folder, rulesFile))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const forbidden: readonly (readonly [file: string, imported: string])[] = [
  ['contracts/src/auth/x.ts', '@portal/platform/bus/port'],
  ['contracts/src/auth/x.ts', '../../../web/src/lib/http.ts'],
  ['contracts/src/auth/x.ts', 'node:crypto'],
  ['services/platform/src/bus/x.ts', '@portal/auth/app'],
  ['services/platform/src/http/x.ts', '@portal/gateway/edge'],
  ['services/auth/src/x.ts', '@portal/notifications/app'],
  ['services/auth/src/user/x.ts', '../../../catalog/src/app.ts'],
  ['services/catalog/src/x.ts', '@portal/auth/app'],
  ['services/notifications/src/x.ts', '@portal/gateway/sockets/receipts'],
  ['services/gateway/src/sockets/x.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/gateway/src/x.ts', '@portal/embedded/compose'],
  ['services/gateway/src/edge.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/gateway/src/calls/main.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/gateway/src/main.ts', '@portal/notifications/app'],
  ['services/gateway/src/main.ts', '@portal/notifications/delivery/worker'],
  ['services/gateway/src/main.ts', '../../notifications/src/inbox/inbox-reader.ts'],
  ['services/gateway/src/main.ts', '@portal/auth/app'],
  ['services/gateway/src/main.ts', '@portal/notifications/seed/seed-notifications'],
  ['services/gateway/src/main.ts', '@portal/notifications/inbox/mark-read'],
  ['services/auth/src/x.ts', '@portal/system-tests/testing/api-client'],
  ['services/auth/src/x.ts', '@portal/dev-cluster/engines/free-port'],
  ['services/embedded/src/x.ts', '@portal/ops/command'],
  ['services/ops/src/x.ts', '../../system-tests/src/testing/api-client.ts'],
  ['services/system-tests/src/x.ts', '@portal/auth/app'],
  ['services/system-tests/src/golden/x.ts', '@portal/ops/command'],
  ['services/system-tests/src/golden/x.ts', '../../../auth/src/app.ts'],
  ['deploy/compose/x.ts', '@portal/auth/app'],
  ['deploy/compose/x.ts', '../../services/ops/src/command.ts'],
  ['services/notifications/src/main.ts', '@portal/platform/outbound/open-outbound'],
  ['services/notifications/src/main.ts', '@portal/gateway/sockets/receipts'],
  ['services/notifications/src/main.ts', '@portal/auth/app'],
  ['services/notifications/src/delivery-main.ts', '@portal/auth/app'],
  ['services/notifications/src/app.ts', '@portal/auth/projections'],
  ['services/catalog/src/main.ts', '@portal/auth/projections'],
  ['services/ops/src/replay/x.ts', '@portal/platform/outbound/port'],
  ['services/ops/src/replay/x.ts', '@portal/embedded/compose'],
  ['services/platform/src/projection/x.ts', '../outbound/port.ts'],
  ['services/notifications/src/inbox/projection.ts', '@portal/platform/outbound/port'],
  ['services/notifications/src/inbox/projection.ts', '@portal/auth/user/profile'],
  ['web/src/features/auth/x.ts', '../notifications/atoms.ts'],
  ['web/src/features/auth/registration/x.ts', '../../notifications/atoms.ts'],
  ['web/src/features/auth/x.ts', '../../features/notifications/atoms.ts'],
  ['web/src/features/auth/x.ts', '../../app/router.tsx'],
  ['web/src/features/auth/x.ts', '@portal/platform/session/session'],
  ['web/src/ui/x.tsx', '../features/auth/api.ts'],
  ['web/src/lib/x.ts', '../app/router.tsx'],
  ['web/src/app/x.tsx', '@portal/platform/session/session'],
  ['web/e2e/x.ts', '@portal/platform/session/session'],
  ['web/e2e/x.ts', '../../services/ops/src/command.ts'],
  ['web/src/features/auth/x.tsx', '@mui/material/Alert'],
  ['web/src/app/layouts/x.tsx', '@mui/material/CircularProgress'],
  ['web/src/ui/x.tsx', '@mui/material'],
]

const allowed: readonly (readonly [file: string, imported: string])[] = [
  ['contracts/src/auth/x.ts', '../shared/ids.ts'],
  ['services/auth/src/user/x.ts', '@portal/contracts/auth/user'],
  ['services/auth/src/user/x.ts', '@portal/platform/bus/port'],
  ['services/notifications/src/delivery/x.ts', '@portal/platform/outbound/port'],
  ['services/gateway/src/main.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/gateway/src/main.ts', '@portal/notifications/progress/campaign-progress'],
  ['services/notifications/src/delivery-main.ts', '@portal/platform/outbound/open-outbound'],
  ['services/notifications/src/delivery-main.ts', '@portal/auth/projections'],
  ['services/notifications/src/main.ts', '@portal/auth/projections'],
  ['services/embedded/src/x.ts', '@portal/auth/app'],
  ['services/ops/src/x.ts', '@portal/embedded/compose'],
  ['services/ops/src/x.test.ts', '@portal/dev-cluster/engines/free-port'],
  ['deploy/compose/x.ts', '@portal/platform/settings/config'],
  ['web/e2e/x.ts', '../../services/system-tests/src/testing/api-client.ts'],
  ['web/src/features/auth/registration/x.ts', '../session/api.ts'],
  ['web/src/features/auth/x.ts', '../../lib/http.ts'],
  ['web/src/app/x.tsx', '../features/auth/api.ts'],
  ['web/src/ui/x.tsx', '@mui/material/Button'],
]

const rulesSchema = z.object({
  overrides: z.array(
    z.object({
      files: z.array(z.string()),
      rules: z.looseObject({
        'no-restricted-imports': z
          .tuple([
            z.literal('error'),
            z.object({ patterns: z.array(z.object({ regex: z.string().optional(), message: z.string() })) }),
          ])
          .optional(),
      }),
    }),
  ),
})

const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted()

/** Lints one file that holds nothing but this import. */
const lint = (file: string, imported: string): string => {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `import type { Thing } from '${imported}'\nexport type Own = Thing\n`)
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), file], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 ? 'accepted' : stdout
}

describe('the import boundaries', () => {
  it.each(forbidden)('%s must not import %s', (file, imported) => {
    expect(lint(file, imported)).toContain('no-restricted-imports')
  })

  it.each(allowed)('%s may import %s', (file, imported) => {
    expect(lint(file, imported)).toBe('accepted')
  })

  it('know every feature and every service, and none that is gone', () => {
    const { overrides } = rulesSchema.parse(JSON.parse(readFileSync(join(root, rulesFile), 'utf8')))
    const featureNames = overrides
      .flatMap(({ rules }) => rules['no-restricted-imports']?.[1].patterns ?? [])
      .flatMap(({ message, regex }) => (message.startsWith('Features are independent') ? [regex] : []))
      .flatMap((regex) => regex?.match(/\(([a-z|]+)\)\/\)$/)?.[1]?.split('|') ?? [])
    expect(featureNames).toEqual(foldersIn('web/src/features'))
    const withRules = overrides.flatMap(({ files }) =>
      files.flatMap((glob) => /^services\/([a-z-]+)\/\*\*$/.exec(glob)?.[1] ?? []),
    )
    expect(withRules.toSorted()).toEqual(foldersIn('services'))
  })
})
