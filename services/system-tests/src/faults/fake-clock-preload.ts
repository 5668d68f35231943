import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Loaded before a process of the portal: gives it a clock of its own. libfaketime asks for the variable each time it reads. */
const file = join(process.env['FAULT_CLOCKS'] ?? '', process.env['PROCESS_NAME'] ?? 'portal')
if (existsSync(file)) process.env['FAKETIME_TIMESTAMP_FILE'] = file
