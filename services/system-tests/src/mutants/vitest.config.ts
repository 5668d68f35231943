import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Used by StrykerJS in a copy of the repository with mutated files. */
const root = join(import.meta.dirname, '../../../..')

export default defineConfig({
  root,
  plugins: [react()],
  resolve: {
    // Packages in node_modules link to the original files, which are not mutated.
    alias: [
      { find: /^@portal\/engines\/(.*)$/, replacement: `${root}/tools/engines/src/$1.ts` },
      { find: /^@portal\/contracts\/(.*)$/, replacement: `${root}/contracts/src/$1.ts` },
      { find: /^@portal\/([a-z-]+)\/(testing\/.*)$/, replacement: `${root}/services/$1/$2.ts` },
      { find: /^@portal\/([a-z-]+)\/(.*)$/, replacement: `${root}/services/$1/src/$2.ts` },
    ],
  },
  test: {
    environment: process.env['MUTANTS_ENVIRONMENT'] ?? 'node',
    include: (process.env['MUTANTS_TESTS'] ?? '').split(','),
    setupFiles: [join(root, 'tools/test/property-seed.ts')],
    testTimeout: 30_000,
  },
})
