import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchConnections } from './connections.ts'

const serve = async () => {
  const accepted: Socket[] = []
  const server = createServer((socket) => {
    accepted.push(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const connect = async ({ socketFactory }: ReturnType<typeof watchConnections>) => {
    const connected = Promise.withResolvers<void>()
    // kafkajs leaves it out where TLS is not wanted.
    const socket = socketFactory({ host: '127.0.0.1', port, onConnect: connected.resolve } as never)
    onTestFinished(() => void socket.destroy())
    await connected.promise
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(0))
  }
  return { connect, accepted, cutAll: () => accepted.forEach((socket) => socket.destroy()) }
}

it('FD-19 opens no other connection once one was lost, so that Kafka is looked at before anything is written', async () => {
  const { connect, cutAll } = await serve()
  const connections = watchConnections({ untilCut: true })
  await connect(connections)
  await connect(connections)
  expect(connections.cuts()).toBe(0)
  cutAll()
  await vi.waitFor(() => expect(connections.cuts()).toBeGreaterThan(0))
  await expect(connect(connections)).rejects.toThrow('connection was lost')
})

it('BUS-43 counts the connections that were lost, and opens others', async () => {
  const { connect, cutAll } = await serve()
  const connections = watchConnections()
  await connect(connections)
  cutAll()
  await vi.waitFor(() => expect(connections.cuts()).toBe(1))
  await connect(connections)
})

it('closes all that are open at the end, and opens none any more', async () => {
  const { connect, accepted } = await serve()
  const connections = watchConnections()
  await connect(connections)
  await connect(connections)
  connections.end()
  await vi.waitFor(() => expect(accepted.filter(({ closed }) => closed)).toHaveLength(2))
  await expect(connect(connections)).rejects.toThrow('have been closed')
})
