import { script } from './script.ts'

/** What the script answers; a conflict is answered with the position that it found. */
export const commitAnswers = { committed: 1, sealed: 2, scoreTaken: 3, gone: 4 } as const

/** Arguments of an operation on a list: kind, index of the list's key, score, member (to trim: what its rows begin with). */
export const argumentsPerOperation = 4

/**
 * KEYS: meta, rows, channel, lists …
 * ARGV: epoch, field of the position, expected ('' for none), position, wake-up, number of arguments of rows set, number of rows
 * deleted, then those, then the operations on lists in their order.
 *
 * Looks before it writes anything: an error of a script does not undo what it has done. A score is taken when another member
 * has it, unless an earlier operation of the same commit has moved that one; that two members within the commit
 * want one score has been ruled out before. Nothing rests on the wake-up, so that it cannot be sent is no error. Rows are written in pieces, because Lua's stack holds some 8,000 values.
 */
export const commitScript = script(`
local call = redis.call
local found = call('HMGET', KEYS[1], 'epoch', 'sealed', ARGV[2])
if found[1] ~= ARGV[1] then return ${commitAnswers.gone} end
if found[2] then return ${commitAnswers.sealed} end
if (found[3] or '') ~= ARGV[3] then return {found[3]} end

local sets = 7 + tonumber(ARGV[6])
local deletes = sets + tonumber(ARGV[7])
local first, last = deletes + 1, #ARGV

local moved, trimmed, looked
local function has_moved(key, holder, score, upto)
  if not looked then moved, trimmed, looked = {}, {}, first end
  for i = looked, upto - 1, 4 do
    local k = ARGV[i + 1]
    if ARGV[i] == 't' then trimmed[k] = math.max(trimmed[k] or -math.huge, tonumber(ARGV[i + 2]))
    else moved[k .. ':' .. ARGV[i + 3]] = true end
  end
  looked = upto
  return moved[key .. ':' .. holder] or (trimmed[key] and trimmed[key] >= tonumber(score))
end

for i = first, last, 4 do
  if ARGV[i] == 'a' then
    local list, score = KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2]
    if call('ZCOUNT', list, score, score) > 0 and call('ZSCORE', list, ARGV[i + 3]) ~= score then
      local holder = call('ZRANGEBYSCORE', list, score, score)[1]
      if not has_moved(ARGV[i + 1], holder, score, i) then return ${commitAnswers.scoreTaken} end
    end
  end
end

for i = first, last, 4 do
  local kind, list = ARGV[i], KEYS[tonumber(ARGV[i + 1])]
  if kind == 'a' then call('ZADD', list, ARGV[i + 2], ARGV[i + 3])
  elseif kind == 'r' then call('ZREM', list, ARGV[i + 3])
  else
    repeat
      local members = call('ZRANGEBYSCORE', list, '-inf', ARGV[i + 2], 'LIMIT', 0, 1000)
      if #members > 0 then
        call('ZREM', list, unpack(members))
        for m = 1, #members do members[m] = ARGV[i + 3] .. members[m] end
        call('HDEL', KEYS[2], unpack(members))
      end
    until #members < 1000
  end
end
for i = 8, sets, 4000 do call('HSET', KEYS[2], unpack(ARGV, i, math.min(i + 3999, sets))) end
for i = sets + 1, deletes, 4000 do call('HDEL', KEYS[2], unpack(ARGV, i, math.min(i + 3999, deletes))) end
call('HSET', KEYS[1], ARGV[2], ARGV[4])
redis.pcall('SPUBLISH', KEYS[3], ARGV[5])
return ${commitAnswers.committed}
`)
