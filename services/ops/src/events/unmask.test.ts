import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Position, RecordedEvent } from '@portal/platform/event-store/port'
import { openSqliteVault } from '@portal/platform/personal-data/sqlite-vault'
import { expect, it, onTestFinished } from 'vitest'
import { unmaskEvents } from './unmask.ts'

const ann = '0197a8f0-0000-7000-8000-000000000001'
const ben = '0197a8f0-0000-7000-8000-000000000002'

const newVault = () => {
  const folder = mkdtempSync(join(tmpdir(), 'unmask-'))
  const vault = openSqliteVault({ keysFile: join(folder, 'keys.db'), masterKeyFile: join(folder, 'master.key') })
  onTestFinished(async () => {
    await vault.close()
    rmSync(folder, { recursive: true })
  })
  return vault
}

const recorded = (data: object): RecordedEvent => ({
  kind: 'event',
  position: '0000000000000042' as Position,
  stream: 'setup-admin',
  revision: 0,
  id: '0197a8f0-0000-7000-8000-000000000003',
  type: 'X',
  data,
  metadata: {},
  at: '2026-11-21T14:00:00.000Z',
})

it('decrypts fields with the key of the user id next to them, and reports the users', async () => {
  const vault = newVault()
  const profile = await vault.encrypt(ann, JSON.stringify({ fullName: 'Ann Lee' }))
  const token = await vault.encrypt(ben, 'token of a phone')
  const { events, userIds } = await unmaskEvents(
    [recorded({ details: { userId: ann, profile } }), recorded({ userId: ben, token, title: 'Hello' })],
    vault,
  )
  expect(events.map(({ data }) => data)).toEqual([
    { details: { userId: ann, profile: { fullName: 'Ann Lee' } } },
    { userId: ben, token: 'token of a phone', title: 'Hello' },
  ])
  expect(userIds).toEqual([ann, ben])
})

it("hides password hashes, shows 'erased' for deleted users, and skips undecryptable fields", async () => {
  const vault = newVault()
  const credential = await vault.encrypt(ann, '$argon2id$secret')
  const profile = await vault.encrypt(ann, '{}')
  await vault.encrypt(ben, '{}')
  const wrong = recorded({ userId: ben, profile })
  await vault.erase(ann)
  const { events } = await unmaskEvents(
    [recorded({ userId: ann, credential, replaces: credential, profile }), wrong],
    vault,
  )
  expect(events.map(({ data }) => data)).toEqual([
    { userId: ann, credential: '«encrypted»', replaces: '«encrypted»', profile: 'erased' },
    { userId: ben, profile: '«cannot be decrypted»' },
  ])
})
