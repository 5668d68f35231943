import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { type Environment, inheritedEnvironment, nodeBinary, repositoryRoot } from './portal-process.ts'

/** Entry points of the make targets. */
const mains = {
  why: 'explain/main',
  events: 'events/main',
  status: 'status/main',
  'dead-letters': 'dead-letters/main',
  'dead-letters-retry': 'dead-letters/retry-main',
  doctor: 'doctor/main',
  replay: 'replay/main',
  backup: 'backup/main',
  'backup-check': 'backup/check-main',
  'backup-forget': 'backup/forget-main',
  restore: 'restore/main',
  'move-log': 'move-log/main',
  scavenge: 'scavenge/main',
  admin: 'admin/main',
} as const
type CommandName = keyof typeof mains

type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

const explanationSchema = z.object({
  ending: z.string(),
  isRead: z.boolean(),
  verdict: z.string(),
  steps: z.array(z.object({ step: z.string(), at: z.string().optional(), says: z.string() })),
})
export const eventsSchema = z.object({
  isMasked: z.boolean(),
  isCut: z.boolean(),
  events: z.array(z.object({ position: z.string(), stream: z.string(), type: z.string(), data: z.unknown() })),
})

export const statusSchema = z.object({
  isHealthy: z.boolean(),
  problems: z.array(z.string()),
  logEnd: z.string(),
  engines: z.array(z.object({ engine: z.string(), status: z.string(), latencyMs: z.number() })),
  consumers: z.array(
    z.object({
      consumer: z.string(),
      generation: z.string().optional(),
      lag: z.object({ events: z.number(), ms: z.number() }),
      parked: z.number().optional(),
    }),
  ),
})

export const deadLettersSchema = z.object({
  count: z.number(),
  oldest: z.array(
    z.object({
      projection: z.string(),
      partition: z.string(),
      type: z.string(),
      since: z.string(),
      reason: z.string(),
    }),
  ),
})

export const madeAdminSchema = z.object({
  userId: z.string(),
  account: z.enum(['existing', 'new']),
  link: z.url(),
  isEffective: z.boolean(),
})

export const findingsSchema = z.object({
  findings: z.array(z.object({ check: z.string(), result: z.string(), says: z.string(), todo: z.string().optional() })),
})

/** Runs operational make commands on one portal, each in its own process. */
export const createOperator = (portal: { readonly dataDir: string; readonly settings: Environment }) => {
  const inherited = inheritedEnvironment()
  const own = {
    // Points to a folder without engines, so that commands use DATA_DIR or the addresses in the settings.
    ENGINES_DIR: join(portal.dataDir, 'no-engines'),
    DATA_DIR: portal.dataDir,
    // Not that of the repository, which may hold backups of another portal.
    BACKUP_DIR: join(portal.dataDir, 'backups'),
    ...portal.settings,
  }

  const command = (name: CommandName, settings: Environment = {}): Promise<CommandResult> =>
    new Promise((resolve) => {
      execFile(
        nodeBinary,
        [`services/ops/src/${mains[name]}.ts`],
        { cwd: repositoryRoot, env: { ...inherited, ...own, ...settings } },
        (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
      )
    })

  const json = async <T extends z.ZodType>(
    schema: T,
    name: CommandName,
    settings: Environment = {},
  ): Promise<z.output<T>> => {
    const { stdout, stderr } = await command(name, { JSON: '1', ...settings })
    if (stdout === '') throw new Error(`${name} printed nothing: ${stderr}`)
    return schema.parse(JSON.parse(stdout))
  }

  return {
    command,
    json,
    why: (user: string, notification: string) =>
      json(explanationSchema, 'why', { USER: user, NOTIFICATION: notification }),
  }
}
export type Operator = ReturnType<typeof createOperator>
