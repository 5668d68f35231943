import { expect, it } from 'vitest'
import { lazyConnection, rootCauseOf } from './client.ts'

const createConnections = () => {
  const log: string[] = []
  let opened = 0
  const connection = lazyConnection(() => {
    const id = ++opened
    return {
      id,
      connect: async () => void log.push(`connect ${id}`),
      disconnect: async () => void log.push(`disconnect ${id}`),
    }
  })
  return { connection, log }
}

it('connects once, at the first request', async () => {
  const { connection, log } = createConnections()
  expect(log).toEqual([])
  const ids = [1, 2].map(() => connection.request(async ({ id }) => id, 1_000, 'a request'))
  expect(await Promise.all(ids)).toEqual([1, 1])
  expect(log).toEqual(['connect 1'])
})

it('replaces the connection after a request that fails or times out', async () => {
  const { connection, log } = createConnections()
  await expect(connection.request(() => Promise.reject(new Error('no')), 1_000, 'a request')).rejects.toThrow('no')
  const unanswered = connection.request(() => new Promise(() => {}), 10, 'a request')
  await expect(unanswered).rejects.toThrow('a request took longer than 10 ms')
  expect(await connection.request(async ({ id }) => id, 1_000, 'a request')).toBe(3)
  expect(log.filter((line) => line.startsWith('disconnect'))).toEqual(['disconnect 1', 'disconnect 2'])
})

it('rejects requests once closed', async () => {
  const { connection, log } = createConnections()
  await connection.request(async () => undefined, 1_000, 'a request')
  await connection.close()
  expect(log).toEqual(['connect 1', 'disconnect 1'])
  await expect(connection.request(async () => undefined, 1_000, 'a request')).rejects.toThrow('is closed')
})

it('finds the error of Kafka among the causes of a kafkajs error', () => {
  const cause = new Error('not the leader')
  expect(rootCauseOf(new Error('retries exceeded', { cause: new Error('request failed', { cause }) }))).toBe(cause)
  expect(rootCauseOf('text')).toBe('text')
})
