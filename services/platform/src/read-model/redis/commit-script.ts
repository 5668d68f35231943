import { InvalidCommit } from '../errors.ts'
import { scoreTaken } from '../limits.ts'
import type { Commit, Write } from '../port.ts'
import { documentRow, entryRow, entryRowsOf, entryText } from '../row-names.ts'
import { script } from './client.ts'
import { idField, type PartitionKeys, positionField } from './keys.ts'

/** The replies of the script. For a conflict it returns the current position instead. */
export const commitAnswers = { committed: 1, fenced: 2, scoreTaken: 3, gone: 4 } as const

/**
 * KEYS: meta, rows, channel, lists …
 * ARGV:
 *  1. epoch
 *  2. field of the position
 *  3. expected position ('' for none)
 *  4. position
 *  5. commit notification
 *  6. field of the message id
 *  7. position and message id ('' for none)
 *  8. number of arguments for rows to set, 9. number of rows to delete, then both kinds of rows
 *
 * The list operations follow: kind, index of the list's key, number of pairs, then pairs of score and member. Those of one list are in
 * order: 'a' adds, 'r' removes, 't' trims. The member of a trim is the prefix of the list's rows.
 *
 * The script checks everything before its first write, because a failing script does not undo its writes. A score is taken if another
 * member has it, unless an earlier operation of the same commit has moved that member. planCommit has rejected two members with one score.
 * A notification that cannot be sent is no error.
 *
 * Redis calls are expensive, so consecutive adds share one. At most 4,000 at a time, because Lua's stack holds some 8,000 values.
 */
export const commitScript = script(`
local call = redis.call
local found = call('HMGET', KEYS[1], 'epoch', 'sealed', ARGV[2])
if found[1] ~= ARGV[1] then return ${commitAnswers.gone} end
if found[2] then return ${commitAnswers.fenced} end
if (found[3] or '') ~= ARGV[3] then return {found[3]} end

local sets = 9 + tonumber(ARGV[8])
local deletes = sets + tonumber(ARGV[9])
local first, last = deletes + 1, #ARGV

local moved, trimmed, operation, at
local function has_moved(key, holder, score, upto)
  if not moved then moved, trimmed, operation, at = {}, {}, first, first + 3 end
  while at < upto do
    local past = operation + 3 + 2 * tonumber(ARGV[operation + 2])
    if at == past then
      operation, at = past, past + 3
    else
      local k = ARGV[operation + 1]
      if ARGV[operation] == 't' then trimmed[k] = math.max(trimmed[k] or -math.huge, tonumber(ARGV[at]))
      else moved[k .. ':' .. ARGV[at + 1]] = true end
      at = at + 2
    end
  end
  return moved[key .. ':' .. holder] or (trimmed[key] and trimmed[key] >= tonumber(score))
end

local function is_any_between(list, from, to)
  local low, high = ARGV[from], ARGV[from]
  for i = from + 2, to, 2 do
    local score = tonumber(ARGV[i])
    if score < tonumber(low) then low = ARGV[i] elseif score > tonumber(high) then high = ARGV[i] end
  end
  return call('ZCOUNT', list, low, high) > 0
end

local i = first
while i <= last do
  local list, from, to = KEYS[tonumber(ARGV[i + 1])], i + 3, i + 2 + 2 * tonumber(ARGV[i + 2])
  if ARGV[i] == 'a' and is_any_between(list, from, to) then
    for j = from, to, 2 do
      if call('ZSCORE', list, ARGV[j + 1]) ~= ARGV[j] then
        local holder = call('ZRANGEBYSCORE', list, ARGV[j], ARGV[j])[1]
        if holder and not has_moved(ARGV[i + 1], holder, ARGV[j], j) then return ${commitAnswers.scoreTaken} end
      end
    end
  end
  i = to + 1
end

local function trim(list, score, rows)
  repeat
    local members = call('ZRANGEBYSCORE', list, '-inf', score, 'LIMIT', 0, 1000)
    if #members > 0 then
      call('ZREM', list, unpack(members))
      for m = 1, #members do members[m] = rows .. members[m] end
      call('HDEL', KEYS[2], unpack(members))
    end
  until #members < 1000
end

i = first
while i <= last do
  local list, from, to = KEYS[tonumber(ARGV[i + 1])], i + 3, i + 2 + 2 * tonumber(ARGV[i + 2])
  if ARGV[i] == 'a' then
    for j = from, to, 4000 do call('ZADD', list, unpack(ARGV, j, math.min(j + 3999, to))) end
  elseif ARGV[i] == 'r' then
    for j = from, to, 2 do call('ZREM', list, ARGV[j + 1]) end
  else
    for j = from, to, 2 do trim(list, ARGV[j], ARGV[j + 1]) end
  end
  i = to + 1
end
for j = 10, sets, 4000 do call('HSET', KEYS[2], unpack(ARGV, j, math.min(j + 3999, sets))) end
for j = sets + 1, deletes, 4000 do call('HDEL', KEYS[2], unpack(ARGV, j, math.min(j + 3999, deletes))) end
if ARGV[7] == '' then call('HSET', KEYS[1], ARGV[2], ARGV[4])
else call('HSET', KEYS[1], ARGV[2], ARGV[4], ARGV[6], ARGV[7]) end
redis.pcall('SPUBLISH', KEYS[3], ARGV[5])
return ${commitAnswers.committed}
`)

type ListWrite = Extract<Write, { op: 'add' | 'remove' | 'trim' }>

type Kind = 'a' | 'r' | 't'

/** The effects of earlier writes of the commit on a list. Only the script sees the stored entries. */
type Touched = {
  readonly keyIndex: string
  readonly scores: Map<string, number>
  readonly members: Map<number, string>
  readonly runs: { readonly kind: Kind; readonly pairs: string[] }[]
}

/** A row's text, or undefined for a deleted row. The last write of a row wins. */
type Rows = Map<string, string | undefined>

const removeFrom = (rows: Rows, list: string, { scores, members }: Touched, member: string) => {
  const score = scores.get(member)
  if (score !== undefined && members.get(score) === member) members.delete(score)
  scores.delete(member)
  rows.set(entryRow(list, member), undefined)
}

const addTo = (rows: Rows, touched: Touched, write: Extract<ListWrite, { op: 'add' }>, commit: Commit) => {
  const { list, member, score, value } = write
  const holder = touched.members.get(score)
  if (holder !== undefined && holder !== member) {
    throw scoreTaken(commit, new InvalidCommit(`list '${list}': '${holder}' and '${member}' at ${score}`))
  }
  const before = touched.scores.get(member)
  if (before !== undefined) touched.members.delete(before)
  touched.scores.set(member, score)
  touched.members.set(score, member)
  rows.set(entryRow(list, member), entryText(score, JSON.stringify(value)))
}

const trimUpTo = (rows: Rows, touched: Touched, list: string, upToScore: number) => {
  for (const [member, score] of touched.scores) if (score <= upToScore) removeFrom(rows, list, touched, member)
}

/** Consecutive operations of one kind become one operation of the script. */
const plan = ({ runs }: Touched, kind: Kind, score: number | '', member: string) => {
  const last = runs.at(-1)
  if (last?.kind === kind) last.pairs.push(String(score), member)
  else runs.push({ kind, pairs: [String(score), member] })
}

const planListWrite = (rows: Rows, touched: Touched, write: ListWrite, commit: Commit) => {
  const { list } = write
  if (write.op === 'add') {
    addTo(rows, touched, write, commit)
    plan(touched, 'a', write.score, write.member)
  } else if (write.op === 'remove') {
    removeFrom(rows, list, touched, write.member)
    plan(touched, 'r', '', write.member)
  } else {
    trimUpTo(rows, touched, list, write.upToScore)
    plan(touched, 't', write.upToScore, entryRowsOf(list))
  }
}

const rowArguments = (rows: Rows): readonly string[] => {
  const sets: string[] = []
  const deletes: string[] = []
  for (const [row, text] of rows) {
    if (text === undefined) deletes.push(row)
    else sets.push(row, text)
  }
  return [String(sets.length), String(deletes.length), ...sets, ...deletes]
}

const operationArguments = (lists: Iterable<Touched>): readonly string[] => {
  const operations: string[] = []
  for (const { keyIndex, runs } of lists) {
    for (const { kind, pairs } of runs) {
      operations.push(kind, keyIndex, String(pairs.length / 2))
      for (const each of pairs) operations.push(each)
    }
  }
  return operations
}

/** The keys and arguments of the script. Throws if the writes contradict each other. */
export const planCommit = (commit: Commit, keys: PartitionKeys, epoch: string) => {
  const { projection, expected = '', position, messageId, writes } = commit
  const scriptKeys: [string, ...string[]] = [keys.meta, keys.rows, keys.channel]
  const lists = new Map<string, Touched>()
  const rows: Rows = new Map()

  const touchedOf = (list: string): Touched => {
    const known = lists.get(list)
    if (known !== undefined) return known
    const keyIndex = String(scriptKeys.push(keys.list(list)))
    const touched: Touched = { keyIndex, scores: new Map(), members: new Map(), runs: [] }
    lists.set(list, touched)
    return touched
  }

  for (const write of writes) {
    if (write.op === 'put') rows.set(documentRow(write.collection, write.key), JSON.stringify(write.value))
    else if (write.op === 'delete') rows.set(documentRow(write.collection, write.key), undefined)
    else planListWrite(rows, touchedOf(write.list), write, commit)
  }

  const wakeUp = JSON.stringify([projection, position])
  const identity = messageId === undefined ? '' : `${position} ${messageId}`
  const head = [epoch, positionField(projection), expected, position, wakeUp, idField(projection), identity]
  return { keys: scriptKeys, args: [...head, ...rowArguments(rows), ...operationArguments(lists.values())] }
}
