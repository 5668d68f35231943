import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getProfile, logOut } from '@portal/contracts/auth/http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, startHarness } from '@portal/auth/testing/harness'

let portal: Harness
beforeEach(async () => {
  portal = await startHarness()
  await portal.register()
})
afterEach(() => portal.stop())

const file = () => join(portal.folder, 'read.db')
const statusOf = async (token: string) => (await portal.inject(getProfile, { token })).statusCode

/** Alters the file as another process would. */
const alter = (sql: string) => {
  const db = new DatabaseSync(file(), { timeout: 5_000 })
  db.exec(sql)
  db.close()
}

const endedAndOpen = async () => {
  const [ended, open] = [await portal.logIn(), await portal.logIn()]
  expect(await statusOf(ended.token)).toBe(200)
  await portal.call(logOut, { token: ended.token })
  expect([await statusOf(ended.token), await statusOf(open.token)]).toEqual([401, 200])
  return { ended: ended.token, open: open.token }
}

test.each([
  ['ended-session documents', "DELETE FROM documents WHERE collection = 'ended-session'"],
  ['all documents', 'DELETE FROM documents'],
  ['everything', 'DELETE FROM documents; DELETE FROM entries; DELETE FROM positions; DELETE FROM cursors'],
])('a session stays ended when %s are deleted while the portal runs', async (_what, sql) => {
  const { ended, open } = await endedAndOpen()
  alter(sql)
  expect([await statusOf(ended), await statusOf(open)]).toEqual([401, 200])
  await portal.restart()
  expect([await statusOf(ended), await statusOf(open)]).toEqual([401, 200])
})

test.each(['projections run', 'projections do not run'])(
  'a session stays ended when the read model is gone at a restart and %s',
  async (which) => {
    const { ended, open } = await endedAndOpen()
    await portal.restart({ namespace: 'emptied', runs: which === 'projections run' })
    expect([await statusOf(ended), await statusOf(open)]).toEqual([401, 200])
  },
)

test('a session stays ended when the read model comes back as an older copy', async () => {
  const [ended, open] = [await portal.logIn(), await portal.logIn()]
  await portal.restart()
  const copy = join(portal.folder, 'older-copy')
  alter(`VACUUM INTO '${copy}'`)
  await portal.call(logOut, { token: ended.token })
  await portal.restart({
    runs: false,
    beforeOpening: () => {
      for (const name of readdirSync(portal.folder)) if (name.startsWith('read.db')) rmSync(join(portal.folder, name))
      copyFileSync(copy, file())
    },
  })
  expect([await statusOf(ended.token), await statusOf(open.token)]).toEqual([401, 200])
  await portal.restart()
  expect([await statusOf(ended.token), await statusOf(open.token)]).toEqual([401, 200])
})
