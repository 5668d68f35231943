import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newDataFolder, repositoryRoot } from '../testing/portal-process.ts'
import { benchAppend } from './append.ts'
import { benchAudience } from './audience.ts'
import { benchAudienceCount } from './audience-count.ts'
import { startBasePortal } from './base-portal.ts'
import {
  type BenchDistributed,
  startBareServer,
  startBenchDistributed,
  startBenchEngines,
  startBenchPortal,
} from './bench-portal.ts'
import { benchGateways } from './engines/gateways.ts'
import { benchLag } from './engines/lag.ts'
import { benchRebuild } from './engines/rebuild.ts'
import { benchScaling } from './engines/scaling.ts'
import { benchFanOut, benchLastOnline } from './fan-out.ts'
import { benchInboxGrowth } from './inbox-growth.ts'
import { benchLogin } from './login.ts'
import { type Comparison, fullScale, machine, machineDescription, quickScale, rowOf, tableOf } from './measure.ts'
import { benchMemory } from './memory.ts'
import { benchPageThroughput } from './page-throughput.ts'
import { benchPayments } from './payments.ts'
import { benchPlaceholders } from './placeholders.ts'
import { benchPostponed, benchPreferences, inData, registeredUsers } from './push-rules.ts'
import { benchRecipients } from './recipients.ts'
import { recordEnrollments } from './record-enrollments.ts'
import { benchResend } from './resend.ts'
import { benchEnginesSend, benchSendLatency } from './send-latency.ts'
import { traceSend } from './trace-send.ts'

/**
 * `make bench` prints a table and writes bench-results/bench.json. `QUICK=1` is the small run, `ONLY=send,append`
 * selects benchmarks, `ENGINES=1` adds those on Kafka and Redis. The quick run need not reach the targets. `BASE=main`
 * adds a portal of that commit to `send`, `TRACE=send` counts the calls of a send instead.
 */
const quick = process.env['QUICK'] === '1'
const only = process.env['ONLY']?.split(',')
const baseCommit = process.env['BASE']
const withEngines = process.env['ENGINES'] === '1'
const scale = quick ? quickScale : fullScale

const withProcesses = async (
  learners: number,
  run: (context: Context) => Promise<Comparison[]>,
): Promise<Comparison[]> => {
  const folder = await newDataFolder()
  const [portal, bare] = await Promise.all([startBenchPortal(learners), startBareServer(join(folder.path, 'bare.db'))])
  try {
    return await run({ portal, bare })
  } finally {
    await Promise.all([portal.stop(), bare.stop()])
    await folder.remove()
  }
}
type Context = {
  readonly portal: Awaited<ReturnType<typeof startBenchPortal>>
  readonly bare: Awaited<ReturnType<typeof startBareServer>>
}

const benches: Readonly<Record<string, () => Promise<Comparison[]>>> = {
  send: () =>
    withProcesses(scale.busySockets, async ({ portal, bare }) => {
      const base = baseCommit === undefined ? undefined : await startBasePortal(baseCommit, scale.busySockets)
      try {
        return await benchSendLatency(portal, bare, base, scale)
      } finally {
        await base?.stop()
      }
    }),
  'fan-out': () =>
    withProcesses(scale.fanOutLearners + 1, async ({ portal, bare }) => [
      ...(await benchFanOut(portal, scale)),
      ...(await benchLastOnline(portal, bare, scale)),
    ]),
  audience: async () => {
    const portal = await startBenchPortal(scale.audienceLearners, {
      prepare: (dataDir) => inData(dataDir, async (store) => recordEnrollments(store, await registeredUsers(store))),
      startTimeoutMs: 300_000,
    })
    try {
      const counts = await benchAudienceCount(portal, scale)
      return [...counts, ...(await benchAudience(portal, scale)), ...(await benchRecipients(portal, scale))]
    } finally {
      await portal.stop()
    }
  },
  append: () => benchAppend(scale),
  growth: () => benchInboxGrowth(scale),
  page: () => withProcesses(2, ({ portal, bare }) => benchPageThroughput(portal, bare, scale)),
  'log-in': () => withProcesses(502, ({ portal }) => benchLogin(portal, scale)),
  memory: () => benchMemory(scale),
  resend: () => benchResend(scale),
  payments: async () => {
    const portal = await startBenchPortal(scale.paidLearners)
    try {
      return await benchPayments(portal, scale)
    } finally {
      await portal.stop()
    }
  },
  preferences: () => benchPreferences(scale),
  postponed: () => benchPostponed(scale),
  placeholders: () => benchPlaceholders(scale),
}

const onEngines = async (run: (engines: Awaited<ReturnType<typeof startBenchEngines>>) => Promise<Comparison[]>) => {
  const engines = await startBenchEngines()
  try {
    return await run(engines)
  } finally {
    await engines.stop()
  }
}
const onProcesses = (learners: number, run: (distributed: BenchDistributed) => Promise<Comparison[]>) =>
  onEngines(async (engines) => {
    const distributed = await startBenchDistributed(engines, learners)
    try {
      return await run(distributed)
    } finally {
      await distributed.portal.stop()
    }
  })

const engineBenches: typeof benches = {
  'engines-send': () =>
    onProcesses(scale.sockets, async (distributed) => {
      const standalone = await startBenchPortal(scale.sockets)
      try {
        return await benchEnginesSend(distributed, standalone, scale)
      } finally {
        await standalone.stop()
      }
    }),
  'engines-lag': () => onProcesses(scale.sockets, (distributed) => benchLag(distributed, scale)),
  'engines-gateways': () => onProcesses(2 * scale.gatewaySockets, (distributed) => benchGateways(distributed, scale)),
  'engines-rebuild': () => onEngines(({ redisUrl }) => benchRebuild(redisUrl, scale)),
  'engines-scaling': () => onEngines((engines) => benchScaling(engines, scale)),
}

const run = async (): Promise<void> => {
  const rows = []
  for (const [name, bench] of Object.entries(withEngines ? { ...benches, ...engineBenches } : benches)) {
    if (only && !only.includes(name)) continue
    process.stderr.write(`${name} …\n`)
    for (const comparison of await bench()) rows.push(rowOf(comparison))
  }

  const folder = join(repositoryRoot, 'bench-results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'bench.json'),
    `${JSON.stringify({ at: new Date().toISOString(), quick, machine, rows }, null, 2)}\n`,
  )
  process.stdout.write(`${machineDescription}${quick ? ' (quick run)' : ''}\n\n${tableOf(rows)}\n`)
}

if (process.env['TRACE'] === 'send') process.stdout.write(`${await traceSend(scale.tracedSends)}\n`)
else await run()
