import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports (from 32768 on Linux), so that no outgoing connection can take the port of an engine that is
// restarting.
const minPort = 15_000
const maxPort = 32_000
const attempts = 50

/** Whether no process listens on the port, on any address of this machine. */
export const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(minPort, maxPort)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port among ${attempts} tried between ${minPort} and ${maxPort}`)
}
