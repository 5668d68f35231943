import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { PortalUnderTest } from './portal-under-test.ts'

const reportSchema = z.object({
  status: z.string(),
  parts: z.record(z.string(), z.string()),
  discontinuities: z.array(z.string()).optional(),
})

export type HealthChange = { readonly process: string; readonly atMs: number; readonly says: string }

/** Reports of /health of every process, polled every 200 ms. */
export type HealthWatch = {
  /** Changes, oldest first. */
  readonly changes: readonly HealthChange[]
  /** Current reports of unhealthy processes. */
  complaints(): readonly string[]
  /** Commands that the reports name, without duplicates; replays of several projections become one command. */
  commands(): readonly string[]
  stop(): Promise<void>
}

export const isHealthy = (says: string): boolean => says === 'ok'

const everyMs = 200
const answerMs = 2_000

const ask = async (address: string): Promise<string> => {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(answerMs),
    })
    const { status, parts, discontinuities = [] } = reportSchema.parse(await response.json())
    const down = Object.entries(parts).flatMap(([part, state]) => (state === 'ok' ? [] : [part]))
    if (status === 'ok' && down.length === 0) return 'ok'
    return [`${status}: ${down.join(', ')}`, ...discontinuities].join(' | ')
  } catch {
    return 'no answer' // recorded as a report like any other
  }
}

/** Extracts commands such as 'Run: make replay P=inbox' from a report. */
const commandsIn = (says: string): readonly string[] =>
  [...says.matchAll(/Run: (make [^|\n"']+)/g)].map(([, command = '']) => command.trim().replace(/\.$/, ''))

/** `make replay` takes several projections; a replay of everything replaces the others. */
const joinCommands = (commands: readonly string[]): readonly string[] => {
  const replay = 'make replay'
  if (commands.includes(replay)) return commands.filter((command) => !command.startsWith(`${replay} P=`))
  const projections = commands.flatMap((command) => (command.startsWith(`${replay} P=`) ? command.slice(14) : []))
  const others = commands.filter((command) => !command.startsWith(`${replay} P=`))
  return projections.length === 0 ? others : [...others, `${replay} P=${projections.join(',')}`]
}

export const watchHealth = (portal: PortalUnderTest): HealthWatch => {
  const changes: HealthChange[] = []
  const now = new Map<string, string>()
  let isStopped = false
  const watch = async ({ name, health }: PortalUnderTest['processes'][number]) => {
    while (!isStopped) {
      const answer = await ask(health)
      const refusal = answer === 'no answer' ? portal.refusal() : undefined
      const says = refusal === undefined ? answer : `${answer} | ${refusal}`
      if (now.get(name) !== says) changes.push({ process: name, atMs: Date.now(), says })
      now.set(name, says)
      await pause(everyMs)
    }
  }
  const watching = Promise.all(portal.processes.map(watch))
  const complaints = () => [...now].flatMap(([name, says]) => (isHealthy(says) ? [] : [`${name}: ${says}`]))
  return {
    changes,
    complaints,
    commands: () => joinCommands([...new Set(complaints().flatMap(commandsIn))].toSorted()),
    stop: async () => {
      isStopped = true
      await watching
    },
  }
}
