import { writeFileSync } from 'node:fs'

/** Preloaded with --expose-gc: on SIGUSR2 it collects garbage and writes the memory usage into a file. */
const file = process.env['AUDIT_MEMORY_FILE']
if (file !== undefined)
  process.on('SIGUSR2', () => {
    for (let times = 0; times < 3; times++) globalThis.gc?.()
    writeFileSync(file, JSON.stringify(process.memoryUsage()))
  })
