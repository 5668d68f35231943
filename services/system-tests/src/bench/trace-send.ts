import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '@portal/engines/free-port'
import { z } from 'zod'
import { startBenchPortal } from './bench-portal.ts'
import { writeCallsOf } from './process-usage.ts'
import { portalSide } from './side.ts'

/** What the portal calls for one send to one online learner: averages over sends one at a time. */
const warmUpSends = 20
/** Long enough for the outcome to be recorded. */
const pauseMs = 100

/** What is called less often per send happens on a timer. */
const minCallsPerSend = 0.25

const countsSchema = z.record(z.string(), z.number())

/** Returns a table. */
export const traceSend = async (sends: number): Promise<string> => {
  const port = await freePort()
  const preload = pathToFileURL(join(import.meta.dirname, 'count-calls.ts')).href
  const portal = await startBenchPortal(1, {
    settings: { NODE_OPTIONS: `--import=${preload}`, CALL_COUNTS_PORT: String(port) },
  })
  const side = await portalSide(portal, 1)
  let onArrival = (): void => undefined
  side.onArrival(() => onArrival())

  const counts = async (): Promise<Readonly<Record<string, number>>> => ({
    ...countsSchema.parse(await (await fetch(`http://127.0.0.1:${port}`)).json()),
    'write calls of the process': writeCallsOf(portal.pid),
  })
  const countsDuring = async (work: () => Promise<unknown>) => {
    const before = await counts()
    for (let n = 0; n < sends; n++) {
      await work()
      await pause(pauseMs)
    }
    const after = await counts()
    return (name: string): number => ((after[name] ?? 0) - (before[name] ?? 0)) / sends
  }
  const sendOne = () => {
    const arrived = new Promise<void>((resolve) => (onArrival = resolve))
    return Promise.all([arrived, side.send(side.users, 'Fees are due')])
  }

  for (let n = 0; n < warmUpSends; n++) await sendOne()
  await pause(1_000)
  const sending = await countsDuring(sendOne)
  const idle = await countsDuring(async () => undefined)
  const rows = Object.keys(await counts())
    .toSorted()
    .filter((name) => sending(name) >= minCallsPerSend)
    .map((name) => `| ${name} | ${sending(name).toFixed(2)} | ${idle(name).toFixed(2)} |`)
  side.close()
  await portal.stop()
  return [`| for one send, of ${sends} | calls | idle |`, '|---|---|---|', ...rows].join('\n')
}
