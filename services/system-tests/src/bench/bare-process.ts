import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary } from '../testing/portal-process.ts'

const script = join(dirname(fileURLToPath(import.meta.url)), 'bare-server.ts')

export type BareProcess = { readonly address: string; readonly pid: number; stop(): Promise<void> }

export const startBareServer = async (databasePath: string): Promise<BareProcess> => {
  const child = spawn(nodeBinary, ['--expose-gc', script, databasePath], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const pid = child.pid
  if (pid === undefined) throw new Error('the bare server did not start')
  return {
    address: String(line).trim(),
    pid,
    stop: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
