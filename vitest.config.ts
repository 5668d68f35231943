import { defineConfig } from 'vitest/config'
import { LongestFirstSequencer } from './tools/test/longest-first-sequencer.ts'

/** System tests that use both cores of a small machine by themselves, and fail beside others for lack of time. */
const heavySystemTests = [
  'services/system-tests/src/faults/**/*.test.ts',
  'services/system-tests/src/replay-large.test.ts',
]

/** Journeys against a clock, which fail beside others for lack of time. */
const timedJourneys = ['web/e2e/main-job.test.ts', 'web/e2e/first-paint.test.ts']

/** The list of failures at the end of a run shows these messages: what differs must be in them. */
const chaiConfig = { truncateThreshold: 400 }

/** `expect.poll` ends after a second by default, in which a busy machine may render nothing. */
const expectInBrowser = { poll: { timeout: 10_000 } }

/**
 * backend: pure and in-process tests. web: components in happy-dom. engines: the adapters on real Kafka, real Redis and the
 * stand-in of EventStoreDB (or the real one, under Docker). system: real processes; system-heavy: those that need the machine
 * for themselves. e2e: the main job and the first paint in a real browser,
 * against a clock. journeys: every screen in a real browser. The first two are `make check`; all are `make test`.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      {
        test: {
          name: 'backend',
          chaiConfig,
          // A busy machine is no fault of a test's; what one waits for has its own, shorter limit.
          testTimeout: 30_000,
          hookTimeout: 30_000,
          include: [
            'contracts/src/**/*.test.ts',
            'services/*/src/**/*.test.ts',
            'deploy/**/*.test.ts',
            'tools/{*/src,test}/**/*.test.ts',
          ],
          exclude: ['services/system-tests/**', '**/*.engine.test.ts'],
        },
      },
      {
        test: {
          name: 'engines',
          chaiConfig,
          include: [
            'services/*/src/**/*.engine.test.ts',
            'deploy/**/*.engine.test.ts',
            'tools/*/src/**/*.engine.test.ts',
          ],
          exclude: ['services/system-tests/**'],
          globalSetup: ['tools/dev-cluster/src/engines/test-engines.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      './web/vitest.config.ts',
      {
        test: {
          name: 'system',
          chaiConfig,
          include: ['services/system-tests/src/**/*.test.ts'],
          exclude: heavySystemTests,
          globalSetup: ['tools/dev-cluster/src/engines/test-engines.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system-heavy',
          chaiConfig,
          include: heavySystemTests,
          globalSetup: ['tools/dev-cluster/src/engines/test-engines.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          chaiConfig,
          expect: expectInBrowser,
          include: timedJourneys,
          globalSetup: ['tools/dev-cluster/src/engines/test-engines.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'journeys',
          chaiConfig,
          expect: expectInBrowser,
          include: ['web/e2e/**/*.test.ts'],
          exclude: timedJourneys,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
