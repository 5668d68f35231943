import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { parseKafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'

test('kafkajs sets no timer with a negative time any more', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  // Answers every request as one of a protocol that nobody speaks: enough for kafkajs to have had an answer.
  const server = createServer((socket) => {
    socket.on('data', (request) => {
      const answer = Buffer.alloc(10)
      answer.writeInt32BE(6, 0)
      answer.writeInt32BE(request.readInt32BE(8), 4)
      answer.writeInt16BE(35, 8)
      socket.write(answer)
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server on a port, not on a path.
  const { port } = server.address() as AddressInfo
  const admin = createKafkaClient(parseKafkaAddress(`kafka://127.0.0.1:${port}`), pino({ level: 'silent' })).admin({
    retry: { retries: 0 },
  })
  await expect(admin.connect()).rejects.toThrow(/version|connect|broker/i)
  await admin.disconnect()
  server.close()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).not.toContain('TimeoutNegativeWarning')
})
