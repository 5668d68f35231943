import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSecureStandIn } from '@portal/engines/event-store/start'
import { expect, it, onTestFinished } from 'vitest'

const grant = (adminUrl: string, user: string) =>
  promisify(execFile)(process.execPath, ['--no-deprecation', join(import.meta.dirname, 'grant-event-store.ts')], {
    env: { ...process.env, ADMIN_URL: adminUrl, USER_NAME: user },
  })

it('grants to a user that exists, and says in one line why it does not', { timeout: 60_000 }, async () => {
  const portal = { user: 'portal', password: 'right' }
  const standIn = await startSecureStandIn({ user: 'admin', password: 'right' }, [portal])
  onTestFinished(() => standIn.stop())
  const admin = standIn.urlOf('admin', 'right')
  const reasons = [
    [
      standIn.urlOf('admin', 'wrong'),
      'portal',
      /^EventStoreDB rejects the user or the password in ADMIN_URL \(16 .*\n$/,
    ],
    [standIn.urlOf('portal', 'right'), 'portal', /^EventStoreDB denies access to .* ADMIN_URL names \(7 .*\n$/],
    [admin, 'nobody', /^EventStoreDB at .* has no user nobody: create it first, see docs\/eventstoredb\.md\n$/],
  ] as const
  for (const [url, user, stderr] of reasons)
    await expect(grant(url, user)).rejects.toMatchObject({ stderr: expect.stringMatching(stderr) })
  expect((await grant(admin, 'portal')).stdout).toMatch(/^The user portal may read \$all at /)
})
