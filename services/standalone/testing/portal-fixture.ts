import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logIn } from '@portal/contracts/auth/http'
import type { ClientToServer, InboxChanged, ServerToClient } from '@portal/contracts/notifications/socket'
import { buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import type { UserId } from '@portal/contracts/shared/ids'
import { openObservability } from '@portal/platform/observability/observability'
import { loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { createPortalProcess } from '@portal/platform/runtime/portal-process'
import { startOrStop } from '@portal/platform/testing/runtime/start-or-stop'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import { seededEmail } from '@portal/sample-data/people'
import { io, type Socket } from 'socket.io-client'
import { vi } from 'vitest'
import type { z } from 'zod'
import { type PortalOptions, startPortal } from '../src/portal.ts'
import { seedDataFolder } from '../src/seed-data-folder.ts'

/** Starts use real disks and can take seconds on a busy machine. */
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

type Client = Socket<ServerToClient, ClientToServer>
export type Person = { readonly userId: UserId; readonly token: string }
export type Tab = { readonly client: Client; readonly messages: InboxChanged[] }

const learnerPassword = 'Learners-2026'
const adminPassword = 'Steward-2026'
const stepTimeoutMs = 10_000

/** Starts the whole portal in this process on a new folder, empty or with learners. */
export const startPortalFixture = async (options: {
  readonly learners: number
  readonly withSample?: boolean
  readonly offerSample?: PortalOptions['offerSample']
  readonly environment?: Readonly<Record<string, string>>
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'))
  const logger = createLogger({ level: 'silent' })
  const config = loadConfig({
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    ADMIN_PASSWORD: adminPassword,
    ...options.environment,
  })
  const observability = await openObservability({ service: 'portal', traces: config.traces, logger })
  const { learners, withSample = false, offerSample } = options
  if (learners > 0) await seedDataFolder(config, { learners, password: learnerPassword, withSample }, logger)
  const process = createPortalProcess({ name: 'portal', topology: 'standalone', config, logger, observability })
  const portal = await startOrStop(process, () => startPortal(process, { ...(offerSample && { offerSample }) }))
  await portal.firstAdmin?.recordShown()
  const clients: Client[] = []

  const call = async <R extends AnyRoute>(
    route: R,
    { as, params, body }: { readonly as?: Person; readonly params?: Record<string, string>; readonly body?: object },
  ): Promise<z.output<R['response']>> => {
    const path = buildUrl(route, { params })
    const response = await fetch(`${portal.address}${path}`, {
      method: route.method,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${route.method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return route.response.parse(answer) as z.output<R['response']> // by the route's own schema
  }

  const signIn = async (personalEmail: string, password: string): Promise<Person> => {
    const { data } = await call(logIn, { body: { personalEmail, password } })
    return { userId: data.user._id, token: data.token }
  }

  return {
    folder,
    portal,
    call,
    learner: (number: number) => signIn(seededEmail(number), learnerPassword),
    faculty: () => signIn('faculty@example.com', learnerPassword),
    admin: () => signIn(portal.firstAdmin?.email ?? '', adminPassword),

    /** Opens a tab and waits for its first inbox message. */
    openTab: async ({ token }: Person): Promise<Tab> => {
      const client: Client = io(portal.address, { auth: { token }, transports: ['websocket'], forceNew: true })
      clients.push(client)
      const messages: InboxChanged[] = []
      await new Promise<void>((resolve, reject) => {
        client.once('connect_error', reject)
        client.on('inbox:changed', (message) => {
          messages.push(message)
          resolve()
        })
      })
      return { client, messages }
    },

    stop: async () => {
      for (const client of clients) client.close()
      const outcome = await stopInOrder(process.stopSteps, stepTimeoutMs, logger)
      rmSync(folder, { recursive: true, force: true })
      return outcome
    },
  }
}
export type PortalFixture = Awaited<ReturnType<typeof startPortalFixture>>
