import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which systems give ports to outgoing connections (from 32768 on Linux), so that none of those can take
// the port of an engine that is being restarted.
const lowest = 15_000
const highest = 32_000
const attempts = 50

/** Nobody listens on it, on any address of this machine. */
export const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
    return true
  } catch {
    return false // taken: that is the answer
  } finally {
    server.close()
  }
}

export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port among ${attempts} tried between ${lowest} and ${highest}`)
}
