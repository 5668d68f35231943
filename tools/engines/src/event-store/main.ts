import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startServer } from './server.ts'

/**
 * The stand-in for EventStoreDB as a process: `main.ts --port 2113 --data FOLDER`. Prints one line when it listens. Ends on SIGTERM,
 * and when its IPC channel to the parent process closes.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2113' },
    data: { type: 'string' },
    certificate: { type: 'string' },
    key: { type: 'string' },
  },
})

// Arguments would show the passwords in the process list.
const users = z
  .array(z.object({ user: z.string(), password: z.string(), isAdmin: z.boolean().optional() }))
  .parse(JSON.parse(process.env['STAND_IN_USERS'] ?? '[]'))

const server = await startServer({
  port: Number(values.port),
  folder: values.data,
  tls: values.certificate && values.key ? { certificateFile: values.certificate, keyFile: values.key } : undefined,
  users,
})

const messageSchema = z.object({
  number: z.number(),
  command: z.discriminatedUnion('name', [
    z.object({ name: z.enum(['drop-connections', 'refuse', 'be-silent', 'serve']) }),
    z.object({ name: z.literal('lose-answers'), appends: z.number() }),
    z.object({ name: z.literal('delay-appends'), ms: z.number() }),
    z.object({ name: z.literal('fail-appends') }),
    z.object({ name: z.literal('count') }),
  ]),
})

process.on('message', (message) => {
  const { number, command } = messageSchema.parse(message)
  if (command.name !== 'count') server.command(command)
  process.send?.({ done: number, counts: server.counts() })
})

const stop = (): void => {
  server.stop()
  process.exit(0)
}
process.on('disconnect', stop)
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

process.stdout.write(`EventStoreDB's stand-in listens on port ${server.port}\n`)
