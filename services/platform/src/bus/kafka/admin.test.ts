/** @module-tag verify */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { parseKafkaAddress } from './address.ts'
import { openKafkaAdmin } from './admin.ts'

const isPort = (address: string | AddressInfo | null): address is AddressInfo => typeof address === 'object'

it('names the brokers that do not answer, for the operator', async () => {
  const broker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(broker, 'listening')
  const address = broker.address()
  const host = `127.0.0.1:${isPort(address) ? address.port : ''}`
  const admin = openKafkaAdmin(parseKafkaAddress(`kafka://${host}`), pino({ level: 'silent' }))
  await expect(admin.check()).rejects.toMatchObject({
    isUserFacing: true,
    message: expect.stringContaining(`Kafka at ${host} does not answer: `),
  })
  // It ends the attempts to connect, which takes kafkajs some seconds.
  await admin.close()
  broker.close()
})
