import { z } from 'zod'
import type { PositionId } from '../port.ts'
import { listOf, readingScript, script, textOf, textsOf } from './client.ts'
import type { Connection } from './connection.ts'
import type { DataLossGuard } from './data-loss-guard.ts'
import { idField, type NamespaceKeys, positionField } from './keys.ts'

/** KEYS: marker, cursors. ARGV: epoch, bus partition, cursor. */
const saveScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
`)

/** Number of earlier cursors kept for the trailing time. */
const samplesPerTrail = 4

/**
 * KEYS: marker, cursors, trail. ARGV: epoch, bus partition, cursor, trailing time, time between samples, both in milliseconds. A trail
 * is a list of pairs of a time and a cursor, the oldest first. Its first pair is the newest that is old enough to be returned.
 */
const saveWithTrailScript = script(`
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local trail = cjson.decode(redis.call('HGET', KEYS[3], ARGV[2]) or '[]')
local last = trail[#trail]
if not last or now - last[1] >= tonumber(ARGV[5]) then
  table.insert(trail, {now, ARGV[3]})
  while trail[2] and now - trail[2][1] >= tonumber(ARGV[4]) do table.remove(trail, 1) end
  redis.call('HSET', KEYS[3], ARGV[2], cjson.encode(trail))
end
return 1
`)

/** KEYS: cursors, trail. Returns the server's time in milliseconds, and both hashes. */
const loadScript = readingScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {string.format('%.0f', now), redis.call('HGETALL', KEYS[1]), redis.call('HGETALL', KEYS[2])}
`)

const trailSchema = z.array(z.tuple([z.number(), z.string()]))
type Trail = z.infer<typeof trailSchema>

/** The newest cursor that is old enough, or the oldest. Never after the last saved one. */
const trailingCursor = (cursor: string, trail: Trail, before: number): string => {
  const old = trail.findLast(([savedAt]) => savedAt <= before) ?? trail[0]
  return old !== undefined && old[1] < cursor ? old[1] : cursor
}

const pairsOf = (flat: readonly (string | undefined)[]): readonly (readonly [string, string])[] =>
  Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? '', flat[2 * n + 1] ?? ''])

/**
 * On one server, cursors go back together with their data. On a cluster they are on another node, and after a failover a cursor can be
 * ahead of its partitions. There `loadCursors` returns an earlier cursor. The consumer skips the messages that it knows.
 */
const prepareCursors = (connection: Connection, keys: NamespaceKeys, guard: DataLossGuard, trailMs: number) => {
  const save = (consumer: string, busPartition: string, cursor: string, during: number) => {
    const [own, args] = [keys.cursors(consumer), [guard.epoch, busPartition, cursor]]
    if (trailMs === 0) return connection.run(saveScript, [keys.marker, own], args, during)
    const times = [String(trailMs), String(Math.floor(trailMs / samplesPerTrail))]
    return connection.run(saveWithTrailScript, [keys.marker, own, keys.trail(consumer)], [...args, ...times], during)
  }

  return {
    async loadCursors(consumer: string, as?: 'observer'): Promise<Readonly<Record<string, string>>> {
      if (as !== 'observer') guard.onLoadCursors()
      await guard.beforeRead()
      const reply = listOf(await connection.run(loadScript, [keys.cursors(consumer), keys.trail(consumer)], []))
      const [saved = [], trails = []] = reply.slice(1).map((each) => pairsOf(textsOf(each)))
      if (saved.length === 0) await guard.confirmNamespace()
      for (const [busPartition, cursor] of saved) guard.sawCursor(consumer, busPartition, cursor)
      if (trailMs === 0) return Object.fromEntries(saved)
      const before = Number(textOf(reply[0])) - trailMs
      const trailOf = new Map(trails.map(([name, text]) => [name, trailSchema.parse(JSON.parse(text))]))
      return Object.fromEntries(
        saved.map(([name, cursor]) => [name, trailingCursor(cursor, trailOf.get(name) ?? [], before)]),
      )
    },
    async saveCursor(consumer: string, busPartition: string, cursor: string): Promise<void> {
      const during = await guard.beforeWrite()
      const saved = await save(consumer, busPartition, cursor, during)
      if (saved !== 1) throw guard.markEmptied('it is not the one that was opened')
      guard.sawCursor(consumer, busPartition, cursor)
    },
  }
}

export const prepareCheckpoints = (
  connection: Connection,
  keys: NamespaceKeys,
  guard: DataLossGuard,
  cursorsTrailMs: number,
) => {
  const announced = async (): Promise<readonly string[]> => {
    await guard.beforeRead()
    const names = textsOf(await connection.send(keys.partitions, ['HKEYS', keys.partitions]))
    if (names.length === 0) await guard.confirmNamespace()
    return names.flatMap((name) => name ?? [])
  }

  const position = async (projection: string, partition: string): Promise<string | undefined> => {
    const waiting = guard.beforeRead()
    if (waiting !== undefined) await waiting
    const { meta } = keys.of(partition)
    const found = textOf(await connection.send(meta, ['HGET', meta, positionField(projection)]))
    if (found === undefined) await guard.confirmEmpty(partition)
    else guard.sawPosition(projection, partition, found)
    return found
  }

  /** The id is stored with its position, because a commit without an id leaves the previous id in place. */
  const positionId = async (projection: string, partition: string): Promise<PositionId | undefined> => {
    const { meta } = keys.of(partition)
    const fields = [positionField(projection), idField(projection)]
    const [found, identity] = textsOf(await connection.send(meta, ['HMGET', meta, ...fields]))
    if (found === undefined) return undefined
    guard.sawPosition(projection, partition, found)
    const messageId = identity?.startsWith(`${found} `) === true ? identity.slice(found.length + 1) : undefined
    return { position: found, messageId }
  }

  const ofEachPartition = async <Found>(
    read: (partition: string) => Promise<Found | undefined>,
  ): Promise<Readonly<Record<string, Found>>> => {
    const names = await announced()
    const found = await Promise.all(names.map(read))
    return Object.fromEntries(
      names.flatMap((name, index) => {
        const each = found[index]
        return each === undefined ? [] : [[name, each]]
      }),
    )
  }

  const hasPosition = async (partition: string): Promise<boolean> => {
    const { meta } = keys.of(partition)
    return listOf(await connection.send(meta, ['HKEYS', meta])).some((field) => textOf(field)?.startsWith('p:'))
  }

  return {
    announced,
    position,
    /** Without partitions whose only commit was announced but never applied. */
    async partitions(): Promise<readonly string[]> {
      const names = await announced()
      const committed = await Promise.all(names.map(hasPosition))
      return names.filter((_, index) => committed[index])
    },
    positions: (projection: string) => ofEachPartition((partition) => position(projection, partition)),
    positionIds: (projection: string) => ofEachPartition((partition) => positionId(projection, partition)),
    ...prepareCursors(connection, keys, guard, cursorsTrailMs),
  }
}
