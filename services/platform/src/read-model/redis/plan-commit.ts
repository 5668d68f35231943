import { InvalidCommit, scoreTaken } from '../invalid-commit.ts'
import type { Commit, Write } from '../port.ts'
import { documentRow, entryRow, entryRowsOf, type PartitionKeys, positionField } from './keys.ts'

type ListWrite = Extract<Write, { op: 'add' | 'remove' | 'trim' }>

/** What earlier writes of the commit did to a list; what lies in the list already only the script sees. */
type Touched = {
  readonly keyIndex: string
  readonly scores: Map<string, number>
  readonly members: Map<number, string>
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
  rows.set(entryRow(list, member), `${score} ${JSON.stringify(value)}`)
}

const trimUpTo = (rows: Rows, touched: Touched, list: string, upToScore: number) => {
  for (const [member, score] of touched.scores) if (score <= upToScore) takeAway(rows, list, touched, member)
}

/** The keys and arguments of the commit's script (commit-script.ts). Rejects what its own writes make impossible. */
export const planCommit = (commit: Commit, keys: PartitionKeys, epoch: string) => {
  const { projection, expected = '', position, writes } = commit
  const scriptKeys: [string, ...string[]] = [keys.meta, keys.rows, keys.channel]
  const lists = new Map<string, Touched>()
  const rows: Rows = new Map()
  const operations: string[] = []

  const touchedOf = (list: string): Touched => {
    const known = lists.get(list)
    if (known !== undefined) return known
    const keyIndex = String(scriptKeys.push(keys.list(list)))
    const touched = { keyIndex, scores: new Map<string, number>(), members: new Map<number, string>() }
    lists.set(list, touched)
    return touched
  }

  const planListWrite = (write: ListWrite) => {
    const { list } = write
    const touched = touchedOf(list)
    if (write.op === 'add') {
      addTo(rows, touched, write, commit)
      operations.push('a', touched.keyIndex, String(write.score), write.member)
    } else if (write.op === 'remove') {
      takeAway(rows, list, touched, write.member)
      operations.push('r', touched.keyIndex, '', write.member)
    } else {
      trimUpTo(rows, touched, list, write.upToScore)
      operations.push('t', touched.keyIndex, String(write.upToScore), entryRowsOf(list))
    }
  }

  for (const write of writes) {
    if (write.op === 'put') rows.set(documentRow(write.collection, write.key), JSON.stringify(write.value))
    else if (write.op === 'delete') rows.set(documentRow(write.collection, write.key), undefined)
    else planListWrite(write)
  }

  const sets: string[] = []
  const deletes: string[] = []
  for (const [row, text] of rows) {
    if (text === undefined) deletes.push(row)
    else sets.push(row, text)
  }
  const wakeUp = JSON.stringify([projection, position])
  const head = [epoch, positionField(projection), expected, position, wakeUp]
  return {
    keys: scriptKeys,
    args: [...head, String(sets.length), String(deletes.length), ...sets, ...deletes, ...operations],
  }
}
