import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ephemeral ports (from 32768 on Linux), so that no outgoing connection can take the port of an engine that is
// starting or restarting.
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

/**
 * Reserves the port's number until this process ends. False if another caller, in any process, holds it.
 *
 * The UDP socket of the same number is the lock: the kernel gives it to one caller, takes it back even after a crash, and
 * lets a TCP server listen on that number.
 */
export const reserve = async (port: number): Promise<boolean> => {
  const lock = createSocket('udp4')
  try {
    lock.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(lock, 'listening')
    lock.unref()
    return true
  } catch {
    lock.close()
    return false
  }
}

/**
 * A port on which no process listens, and which no other caller gets while this process runs: also not before its server
 * listens, and not while the server restarts.
 */
export const freePort = async (): Promise<number> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(minPort, maxPort)
    if ((await reserve(port)) && (await isFree(port))) return port
  }
  throw new Error(`no free port among ${attempts} tried between ${minPort} and ${maxPort}`)
}
