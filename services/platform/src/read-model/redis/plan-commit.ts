import { scoreTaken } from '../limits.ts'
import { InvalidCommit } from '../errors.ts'
import type { Commit, Write } from '../port.ts'
import { documentRow, entryRow, entryRowsOf, entryText } from '../row-names.ts'
import { idField, type PartitionKeys, positionField } from './keys.ts'

type ListWrite = Extract<Write, { op: 'add' | 'remove' | 'trim' }>

type Kind = 'a' | 'r' | 't'

/** What earlier writes of the commit did to a list; what lies in the list already only the script sees. */
type Touched = {
  readonly keyIndex: string
  readonly scores: Map<string, number>
  readonly members: Map<number, string>
  readonly runs: { readonly kind: Kind; readonly pairs: string[] }[]
}

/** A row's text, or undefined for one that goes. The last write of a row is what counts. */
type Rows = Map<string, string | undefined>

const takeAway = (rows: Rows, list: string, { scores, members }: Touched, member: string) => {
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
  for (const [member, score] of touched.scores) if (score <= upToScore) takeAway(rows, list, touched, member)
}

/** Operations of one kind in a row are one for the script. */
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
    takeAway(rows, list, touched, write.member)
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

/** The keys and arguments of the commit's script (commit-script.ts). Rejects what its own writes make impossible. */
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
