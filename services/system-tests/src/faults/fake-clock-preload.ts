import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Preloaded into a portal process to give it its own clock. libfaketime reads the variable each time. */
const file = join(process.env['FAULT_CLOCKS'] ?? '', process.env['PROCESS_NAME'] ?? 'portal')
if (existsSync(file)) process.env['FAKETIME_TIMESTAMP_FILE'] = file
