import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tally } from '@portal/platform/testing/projection/tally'
import { replay } from './replay.ts'
import { rollback } from './rollback.ts'
import { keys, serveTally, type ServedTally } from '@portal/platform/testing/generations/serving-tally'
import { until } from '../../testing/until.ts'

/** Writes until it is stopped, with pauses from the test run. */
const writeMeanwhile = (tallied: ServedTally, pauses: readonly number[]) => {
  let isStopped = false
  const writing = (async () => {
    for (let n = 0; !isStopped; n++) {
      await tallied.note(keys[n % keys.length] ?? 'a0', n)
      for (let turns = pauses[n % pauses.length] ?? 0; turns > 0; turns--) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await writing
    },
  }
}

const run = fc.record({
  kind: fc.constantFrom('replay' as const, 'replay' as const, 'replay back' as const),
  /** The projection restarts at this step. */
  restartsAt: fc.constantFrom(undefined, 'announced', 'fenced', 'cursors saved', 'switched'),
})

it('RP-1 replays and rollbacks in any order during writes end like one clean pass', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(30), { minLength: 1, maxLength: 20 }),
      fc.nat(60),
      async (runs, pauses, notesBefore) => {
        const tallied = await serveTally()
        try {
          for (let n = 0; n < notesBefore; n++) await tallied.note(keys[n % keys.length] ?? 'a0', n)
          const writer = writeMeanwhile(tallied, pauses)
          let generation = 'tally-main'
          for (const [index, { kind, restartsAt }] of runs.entries()) {
            const common = {
              ...tallied.ports,
              projections: [tally()],
              signal: new AbortController().signal,
              onStep: async (step: string) => {
                if (step === restartsAt) await tallied.restartProjection()
              },
            }
            const [result] =
              kind === 'replay' || generation === 'tally-main'
                ? await replay({ ...common, stamp: `${index}`, force: false })
                : await rollback(common)
            generation = result?.generation ?? 'none'
            expect(result).not.toMatchObject({ outcome: 'refused' })
            await until(() => expect(tallied.serving.current().name).toBe(generation))
          }
          await writer.stop()
          await tallied.untilApplied('a0', await tallied.note('a0', 1))
          expect(await tallied.served()).toEqual(await tallied.cleanPass())
        } finally {
          await tallied.stop()
        }
      },
    ),
    { numRuns: 15 },
  )
}, 120_000)
