import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    setupFiles: ['src/testing/set-up-tests.ts'],
    // Must exceed asyncUtilTimeout in src/testing/set-up-tests.ts.
    testTimeout: 30_000,
  },
})
