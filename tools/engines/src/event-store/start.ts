import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ReadCounts } from './read-call.ts'
import type { StandInCommand, StandInUser } from './faults.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

export type StandInStart = {
  /** A free port by default. */
  readonly port?: number
  /** Stores the log. Without it, the log is in memory. */
  readonly folder?: string
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string }
  /** Clients must authenticate as one of them. */
  readonly users?: readonly StandInUser[]
}

export type StandIn = {
  /** `esdb://127.0.0.1:PORT?tls=false` */
  readonly url: string
  readonly port: number
  /** Resolves once the stand-in has executed the command. */
  command(command: StandInCommand): Promise<void>
  /** The counts since the start. */
  counts(): Promise<ReadCounts>
  /** Stops the process and waits until it has ended. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

const replySchema = z.object({
  done: z.number(),
  counts: z.object({ readsOfEnd: z.number(), recordsOfStreams: z.number() }),
})

/** Starts the stand-in for EventStoreDB as a child process. It ends with this process. */
export const startStandIn = async ({ port = 0, folder, tls, users = [] }: StandInStart = {}): Promise<StandIn> => {
  const parameters = ['--port', String(port)]
  if (folder !== undefined) parameters.push('--data', folder)
  if (tls !== undefined) parameters.push('--certificate', tls.certificateFile, '--key', tls.keyFile)
  const child = spawn(process.execPath, [program, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, STAND_IN_USERS: JSON.stringify(users) },
  })
  const exited = once(child, 'exit')
  const { stdout } = child
  if (stdout === null) throw new Error('The stand-in has no output')
  const [line] = await Promise.race([
    once(createInterface({ input: stdout }), 'line'),
    exited.then(() => Promise.reject(new Error("EventStoreDB's stand-in ended before it listened"))),
  ])
  const listening = Number(/port (\d+)$/.exec(String(line))?.[1])
  let commands = 0

  const ask = async (command: StandInCommand | { readonly name: 'count' }): Promise<ReadCounts> => {
    const number = commands++
    const { promise: done, resolve } = Promise.withResolvers<ReadCounts>()
    const onMessage = (message: unknown): void => {
      const reply = replySchema.parse(message)
      if (reply.done === number) resolve(reply.counts)
    }
    child.on('message', onMessage)
    child.send({ number, command })
    const ended = exited.then(() => Promise.reject(new Error("EventStoreDB's stand-in has ended")))
    try {
      return await Promise.race([done, ended])
    } finally {
      child.off('message', onMessage)
    }
  }

  return {
    url: tls === undefined ? `esdb://127.0.0.1:${listening}?tls=false` : `esdb://127.0.0.1:${listening}`,
    port: listening,
    command: async (command) => {
      await ask(command)
    },
    counts: () => ask({ name: 'count' }),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await exited
    },
  }
}

/** Starts a stand-in with TLS, a self-signed certificate, an administrator and other users. */
export const startSecureStandIn = async (admin: StandInUser, others: readonly StandInUser[] = []) => {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...kind, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })
  const standIn = await startStandIn({
    tls: { certificateFile, keyFile },
    users: [{ ...admin, isAdmin: true }, ...others],
  })
  return {
    port: standIn.port,
    certificateFile,
    urlOf: (user: string, password: string): string =>
      `esdb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${standIn.port}?tlsCAFile=${encodeURIComponent(certificateFile)}`,
    stop: async (): Promise<void> => {
      await standIn.stop()
      await rm(folder, { recursive: true })
    },
  }
}
