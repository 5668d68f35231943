/** @module-tag verify */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { decidedSend } from '@portal/notifications/testing/memory-log'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { until } from '@portal/platform/testing/until'
import { SMTPServer } from 'smtp-server'
import { v7 as newId } from 'uuid'
import { expect, it, onTestFinished } from 'vitest'
import { logIn, seededEmail, userIdsByEmail } from './testing/api-client.ts'
import {
  admin,
  inheritedEnvironment,
  newDataFolder,
  nodeBinary,
  repositoryRoot,
  seedLearners,
  startPortal,
} from './testing/portal-process.ts'

const hourMs = 3_600_000

/** A mail server that takes every mail. */
const startMailServer = async () => {
  const mails: { readonly to: string; readonly text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, { envelope }, taken) => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text: await text(stream) })
      taken()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

/** Records a campaign of some hours ago to a portal that does not run. */
const recordOldSend = async (dataDir: string, n: number, userId: UserId): Promise<void> => {
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const occurredAt = new Date(Date.now() - 2 * hourMs).toISOString()
  const { stream, events } = decidedSend(n, [userId])
  try {
    const recorded = events.map((event) => ({ id: newId(), ...event, metadata: { occurredAt } }))
    await store.append(stream, 'any', recorded)
  } finally {
    await store.close()
  }
}

const replay = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const child = spawn(nodeBinary, [join(repositoryRoot, 'services/ops/src/replay/main.ts')], {
    cwd: repositoryRoot,
    env: { ...inheritedEnvironment(), ...settings, JSON: '1' },
    stdio: 'ignore',
  })
  expect(await once(child, 'close')).toEqual([0, null])
}

it('a replay e-mails nobody about what they have not seen, nor does the start after it', async () => {
  const folder = await newDataFolder()
  onTestFinished(folder.remove)
  const dataDir = folder.path
  const { url, mails } = await startMailServer()
  const settings = { SMTP_URL: url, EMAIL_UNSEEN_AFTER: '1h' }
  const recipients = () => mails.map(({ to }) => to)

  await seedLearners(dataDir, 2)
  const first = await startPortal({ dataDir })
  const { token } = await logIn(first.address, admin.email, admin.password)
  const userIds = await userIdsByEmail(first.address, token)
  await first.stop()
  const learner = (number: number): UserId => userIdSchema.parse(userIds.get(seededEmail(number)))

  await recordOldSend(dataDir, 1, learner(1))
  const second = await startPortal({ dataDir, settings })
  await until(() => expect(recipients()).toEqual([seededEmail(1)]))
  await replay({ ENGINES_DIR: join(dataDir, 'engines'), DATA_DIR: dataDir, ...settings })
  await second.stop()

  // The worker goes through the history in order: it has looked at the first one again before it sends this e-mail.
  await recordOldSend(dataDir, 2, learner(2))
  const third = await startPortal({ dataDir, settings })
  await until(() => expect(recipients()).toEqual([seededEmail(1), seededEmail(2)]))
  await third.stop()
  expect(recipients()).toHaveLength(2)
}, 120_000)
