import { serversUnderTest } from '@portal/platform/testing/event-store/servers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../testing/until.ts'
import { OtherWriterError } from '../errors.ts'
import { openEventStoreDb } from '../eventstoredb.ts'
import { becomeSoleWriter } from './sole-writer.ts'

describe.each(serversUnderTest)('the sole writer and %s', (_name, startServer) => {
  const start = async () => {
    const server = await startServer()
    onTestFinished(() => server.stop())
    return server
  }
  const become = async (url: string, where: string) => {
    const losses: (Error | undefined)[] = []
    const onLost = (error: Error | undefined) => void losses.push(error)
    const writer = await becomeSoleWriter({ url, address: 'the address', where, onLost, verify: async () => undefined })
    return { writer, losses }
  }

  test('ES-86 rejects a second writer in one line, until the first one has stopped', async () => {
    const { url } = await start()
    const { writer, losses } = await become(url, 'the first')
    await expect(become(url, 'the second')).rejects.toThrow(
      /^Another portal \(the first, since \S+\) writes to the event store at the address\. Stop one of them/,
    )
    expect(losses.filter((error) => error !== undefined)).toEqual([])
    await writer.close()
    const second = await become(url, 'the second')
    await second.writer.close()
    const log = await openEventStoreDb({ url })
    expect(await log.end()).toBe('start')
    await log.close()
  })

  test('ES-86 a writer that did not answer learns that another one has taken its place', async () => {
    const server = await start()
    const { writer, losses } = await become(server.url, 'the first')
    onTestFinished(() => writer.close())
    await until(() => expect(losses).not.toEqual([]))
    // As a process that is stopped: it reaches the server again when the second one writes.
    const other = await startServer()
    onTestFinished(() => other.stop())
    const direct = await become(other.url, 'the second')
    onTestFinished(() => direct.writer.close())
    await direct.writer.close()
    const third = await become(other.url, 'the third')
    onTestFinished(() => third.writer.close())
    server.switchTo(other)
    await until(() => expect(losses.at(-1)).toBeInstanceOf(OtherWriterError))
  })
})
