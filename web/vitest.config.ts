import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { filesLeftOut } from '../tools/test/circles.ts'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    // As in vitest.config.ts.
    execArgv: ['--max-semi-space-size=64'],
    include: ['src/**/*.test.{ts,tsx}', '{browsers,build}/**/*.test.ts'],
    exclude: [...filesLeftOut()],
    setupFiles: ['../tools/test/property-seed.ts', 'src/testing/set-up-tests.ts'],
    expect: { poll: { timeout: 20_000 } },
    // Must exceed asyncUtilTimeout in src/testing/set-up-tests.ts.
    testTimeout: 60_000,
  },
})
