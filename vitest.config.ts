import { defineConfig } from 'vitest/config'
import { filesLeftOut } from './tools/test/circles.ts'
import { FileOrder } from './tools/test/file-order.ts'

/** System tests that use both cores of a small machine by themselves, and fail beside others for lack of time. */
const heavySystemTests = [
  'services/system-tests/src/faults/**/*.test.ts',
  'services/system-tests/src/replay-large.test.ts',
]

/** The main job, also on engines, and the first paint, against a clock. */
const journeysOnEngines = ['web/e2e/main-job.test.ts', 'web/e2e/first-paint.test.ts']

/**
 * What the projects share. `web/vitest.config.ts` repeats it for the tests in happy-dom. Hooks and tests have limits for a busy
 * machine, which is no fault of a test's; what a test waits for has a shorter one.
 */
const shared = {
  // The list of failures at the end of a run shows these messages: what differs must be in them.
  chaiConfig: { truncateThreshold: 400 },
  // The same limit as `until` of platform/testing.
  expect: { poll: { timeout: 20_000 } },
  setupFiles: ['tools/test/property-seed.ts'],
}

const leftOut = filesLeftOut()

/** Tests make much garbage and keep little of it: with room for more, it is collected a few times, in a tenth less time. */
const youngGeneration = '--max-semi-space-size=64'

const engines = 'tools/engines/src/test-engines.ts'

/**
 * backend: pure and in-process tests. web: components in happy-dom. engines: the adapters on real Kafka, real Redis and the
 * stand-in of EventStoreDB (or the real one, under Docker). system: real processes; system-heavy: those that need the machine
 * for themselves. journeys: every screen in a real browser; e2e: the main job, also on engines. docs/testing.md says which of
 * them `make check`, `make test` and `make verify` run.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: FileOrder },
    tags: [
      { name: 'verify', description: 'Left to `make verify`, because it takes long or loads the whole machine' },
      { name: 'essential', description: 'A journey that `make test` runs; the others are left to `make verify`' },
    ],
    projects: [
      {
        test: {
          name: 'backend',
          ...shared,
          execArgv: [youngGeneration],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          include: [
            'contracts/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'deploy/**/*.test.ts',
            'tools/{*/src,test}/**/*.test.ts',
          ],
          exclude: ['services/system-tests/**', '**/*.engine.test.ts', ...leftOut],
        },
      },
      {
        test: {
          name: 'engines',
          ...shared,
          include: [
            'services/*/src/**/*.engine.test.ts',
            'deploy/**/*.engine.test.ts',
            'tools/*/src/**/*.engine.test.ts',
          ],
          exclude: ['services/system-tests/**', ...leftOut],
          globalSetup: [engines],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      './web/vitest.config.ts',
      {
        test: {
          name: 'system',
          ...shared,
          include: ['services/system-tests/src/**/*.test.ts'],
          exclude: [...heavySystemTests, ...leftOut],
          globalSetup: [engines],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'system-heavy',
          ...shared,
          include: heavySystemTests,
          globalSetup: [engines],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          ...shared,
          include: journeysOnEngines,
          exclude: [...leftOut],
          globalSetup: [engines],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'journeys',
          ...shared,
          include: ['web/e2e/**/*.test.ts'],
          exclude: [...journeysOnEngines, ...leftOut],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
