/** @module-tag verify */
import { join } from 'node:path'
import * as contracts from '@portal/contracts/notifications/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { callRoute, logIn, seededEmail, wholeInbox } from './testing/api-client.ts'
import { type DistributedPortal, startDistributedPortal } from './testing/distributed-portal.ts'
import { createOperator, type Operator } from './testing/operator.ts'
import { admin, eventually, newDataFolder, seedLearners } from './testing/portal-process.ts'
import { testEngines } from './testing/test-engines.ts'

const madeSchema = z.object({ store: z.string(), events: z.number(), readModels: z.number() })
const checkedSchema = z.object({
  isGood: z.boolean(),
  events: z.number(),
  problems: z.array(z.string()),
  compared: z.array(z.object({ projection: z.string(), partitions: z.number().optional() })),
})

const elsewhere = await newDataFolder()
let portal: DistributedPortal
let operator: Operator
let password: string

beforeAll(async () => {
  portal = await startDistributedPortal(testEngines(), {
    prepare: async (settings) => {
      password = await seedLearners(settings['DATA_DIR'] ?? '', 3, settings)
    },
  })
  const settings = { ...portal.settings, BACKUP_DIR: join(elsewhere.path, 'backups') }
  operator = createOperator({ dataDir: portal.dataDir, settings })
}, 180_000)
afterAll(async () => {
  await portal?.stop()
  await elsewhere.remove()
}, 60_000)

const json = async <T extends z.ZodType>(schema: T, name: Parameters<Operator['command']>[0]) => {
  const { stdout, stderr, code } = await operator.command(name, { JSON: '1' })
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return schema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
}

test(
  'a portal on engines is backed up under sends, and its read models equal those built elsewhere',
  { timeout: 180_000 },
  async () => {
    const { address } = portal
    const { token } = await logIn(address, admin.email, admin.password)
    const reader = await logIn(address, seededEmail(1), password)
    const send = () => {
      const body = { userIds: [reader.userId], title: 'Now', message: 'Meanwhile', type: 'General' } as const
      return callRoute(address, contracts.sendNotification, { token, body })
    }
    for (let n = 0; n < 10; n++) await send()
    await eventually(
      'all has arrived',
      async () => (await wholeInbox(address, reader.token)).items.length === 10,
      60_000,
    )

    let isDone = false
    const sending = async () => {
      while (!isDone) await send()
    }
    const backingUp = json(madeSchema, 'backup').finally(() => {
      isDone = true
    })
    const [made] = await Promise.all([backingUp, sending()])
    expect(made.store).toBe('eventstoredb')
    const checked = await json(checkedSchema, 'backup-check')
    expect(checked).toMatchObject({ isGood: true, events: made.events, problems: [] })
    expect(checked.compared).toHaveLength(made.readModels)
    expect(checked.compared.find(({ projection }) => projection === 'inbox')?.partitions).toBeGreaterThan(1)
  },
)
