import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { Kafka, logLevel } from 'kafkajs'
import { createClient, RESP_TYPES } from 'redis'
import { v7 as newId } from 'uuid'

/** Bytes of a portal, by the name of where they are. */
export type Place = { readonly name: string; readonly bytes: Buffer }

const encodedRun = /[\w+/-]{16,}={0,2}/g
const gzipMagic = Buffer.from([0x1f, 0x8b, 0x08])

const lowerCase = (bytes: Buffer): string => bytes.toString('latin1').toLowerCase()

/** How a text can occur. Big-endian UTF-16 contains the little-endian bytes without the last one. */
const shapesOf = (text: string): readonly string[] => {
  const lower = text.toLowerCase()
  const shapes = [lower, encodeURIComponent(lower).toLowerCase(), JSON.stringify(lower).slice(1, -1)]
  return [
    ...new Set([
      ...shapes.map((shape) => lowerCase(Buffer.from(shape))),
      lowerCase(Buffer.from(lower, 'utf16le')).slice(0, -1),
    ]),
  ]
}

/** What base64 or base64url in the text decodes to. A run may begin anywhere within other letters. */
function* decodedRuns(text: string): Generator<Buffer> {
  for (const [run] of text.matchAll(encodedRun))
    for (let skipped = 0; skipped < 4; skipped++) yield Buffer.from(run.slice(skipped), 'base64')
}

function* unzipped(bytes: Buffer): Generator<Buffer> {
  for (let at = bytes.indexOf(gzipMagic); at >= 0; at = bytes.indexOf(gzipMagic, at + 1)) {
    try {
      yield gunzipSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH })
    } catch {
      // Not the start of compressed data.
    }
  }
}

const found = (texts: readonly string[], bytes: Buffer): readonly string[] => {
  const original = bytes.toString('latin1')
  const lower = original.toLowerCase()
  // Decoded together, so that each text is searched once.
  const decoded = lowerCase(Buffer.concat([...decodedRuns(original)].flatMap((run) => [run, Buffer.from('\n')])))
  return texts.filter((text) => shapesOf(text).some((shape) => lower.includes(shape) || decoded.includes(shape)))
}

/** Which of the texts occur where: in the clear, percent-encoded, in UTF-16, in base64 or in compressed parts. */
export const tracesIn = (places: readonly Place[], texts: readonly string[]): readonly string[] =>
  places.flatMap(({ name, bytes }) => {
    const all = [bytes, ...unzipped(bytes)].flatMap((part) => found(texts, part))
    return [...new Set(all)].map((text) => `${name}: ${text}`)
  })

const unlessRemoved = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error
}

/** All files of a folder. A file that another process removes meanwhile is left out. */
export const filesIn = async (folder: string): Promise<readonly Place[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path).catch(unlessRemoved)
      return bytes && { name: path.slice(folder.length + 1), bytes }
    }),
  )
  return read.filter((place) => place !== undefined)
}

/** All values of a portal in Redis, with their keys. */
export const valuesInRedis = async (url: string, prefix: string): Promise<readonly Place[]> => {
  const client = createClient({ url: url.split('?')[0] ?? url }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  await client.connect()
  try {
    const places: Place[] = []
    for await (const keys of client.scanIterator({ MATCH: `*${prefix}*`, COUNT: 1_000 }))
      for (const key of keys) places.push({ name: `redis ${key.toString()}`, bytes: await valueOf(key) })
    return places
  } finally {
    client.destroy()
  }

  async function valueOf(key: Buffer): Promise<Buffer> {
    const name = key.toString()
    const type = (await client.sendCommand(['TYPE', name])) as unknown
    const commands: Readonly<Record<string, readonly string[]>> = {
      string: ['GET', name],
      hash: ['HGETALL', name],
      list: ['LRANGE', name, '0', '-1'],
      set: ['SMEMBERS', name],
      zset: ['ZRANGE', name, '0', '-1'],
      stream: ['XRANGE', name, '-', '+'],
    }
    const command = commands[String(type)]
    if (!command) throw new Error(`${name} is a ${String(type)}, which this scan cannot read`)
    return Buffer.concat([key, Buffer.from('\n'), ...partsOf(await client.sendCommand([...command]))])
  }
}

/** The strings of an answer of Redis, however nested. */
const partsOf = (answer: unknown): readonly Buffer[] => {
  if (Buffer.isBuffer(answer)) return [answer, Buffer.from('\n')]
  if (Array.isArray(answer)) return answer.flatMap(partsOf)
  if (answer !== null && typeof answer === 'object') return Object.entries(answer).flat().flatMap(partsOf)
  return [Buffer.from(`${String(answer)}\n`)]
}

/** All messages of a portal in Kafka that are not compacted or deleted yet. */
export const messagesInKafka = async (url: string, prefix: string): Promise<readonly Place[]> => {
  const brokers = (url.split('?')[0] ?? '').replace(/^kafka:\/\//, '').split(',')
  const kafka = new Kafka({ clientId: 'traces', brokers, logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix))
  const left = new Map<string, number>()
  for (const topic of topics)
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) left.set(`${topic} ${partition}`, Number(high))
  await admin.disconnect()
  const places: Place[] = []
  const groupId = `${prefix}traces-${newId()}`
  const consumer = kafka.consumer({ groupId })
  await consumer.connect()
  try {
    const { promise: read, resolve } = Promise.withResolvers<void>()
    if (left.size === 0) resolve()
    await consumer.subscribe({ topics: [...topics], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ topic, partition, message: { key, value, headers, offset } }) => {
        const parts = [key, value, Buffer.from(JSON.stringify(headers ?? {}))].filter((part) => part !== null)
        places.push({ name: `kafka ${topic} ${partition} ${offset}`, bytes: Buffer.concat(parts) })
        const of = `${topic} ${partition}`
        if (Number(offset) + 1 >= (left.get(of) ?? 0)) left.delete(of)
        if (left.size === 0) resolve()
      },
    })
    await read
  } finally {
    await consumer.disconnect()
  }
  return places
}
