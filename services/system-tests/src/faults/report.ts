import type { Measurement } from './measurement.ts'

const columns = [
  'row',
  'fault',
  'sends',
  'lost',
  'shown twice',
  'pushed twice',
  'health said, after',
  'repaired by',
  'well again after',
  'answers, live again after',
  'verdict',
] as const

const seconds = (value: number | undefined): string => (value === undefined ? '–' : `${value.toFixed(1)} s`)

/** Removes times and ids, which differ between trials. */
const brief = (says: string): string =>
  says
    .replaceAll(/ since \d{4}-[\d-]+T[\d:.]+Z/g, '')
    .replaceAll(/ event [0-9a-f-]{36} at position \d+/g, ' the event that was handled last')
    .replaceAll(/ \(Read model [^)]*\)/g, '')
    .replaceAll(/ \(noticed by [^)]*\)/g, '')
    .replaceAll('|', '·')

const mostWords = 220
const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

const lostOf = ({ findings, goneWithTheLog = 0 }: Measurement): string => {
  if (!findings) return '–'
  const { lost, pushMissing, pending, readsLost } = findings
  const parts = [
    String(lost),
    ...(pushMissing > 0 ? [`${pushMissing} pushes`] : []),
    ...(pending > 0 ? [`${pending} pending`] : []),
    ...(readsLost > 0 ? [`${readsLost} reads`] : []),
    ...(goneWithTheLog > 0 ? [`${goneWithTheLog} sends with the data`] : []),
  ]
  return parts.join(', ')
}

const pushedTwiceOf = ({ findings, pushedAgain = 0 }: Measurement): string => {
  if (!findings) return '–'
  return pushedAgain > 0 ? `${findings.pushTwice}, and ${pushedAgain} with the data` : String(findings.pushTwice)
}

const healthOf = ({ red, health = [], repairs = [] }: Measurement): string => {
  if (!red) return 'nothing'
  // If a command was needed, shows the report that named it, which may come later than the first.
  const naming = repairs.length > 0 ? health.find(({ says }) => says.includes('Run: make')) : undefined
  const [process, says, after] = naming
    ? [naming.process, naming.says, naming.atSeconds]
    : [red.process, red.says, red.afterSeconds]
  return `${process}: ${shorten(brief(says), mostWords)}, ${seconds(after)}`
}

const repairOf = ({ repairs = [], notes = [] }: Measurement): string => {
  const commands = repairs.map(({ command, code, seconds: took }) => `\`${command}\` (exit ${code}, ${seconds(took)})`)
  return [...(commands.length > 0 ? commands : ['itself']), ...notes].join('; ')
}

const cellsOf = (row: Measurement): readonly string[] => {
  if (row.verdict === 'not run here')
    return [`\`${row.name}\``, row.title, ...Array(8).fill('–'), `not run here: ${row.reason}`]
  const { findings } = row
  const reason =
    row.verdict === 'failed' ? `**failed**: ${shorten(brief(row.reason ?? ''), 2 * mostWords)}` : row.verdict
  return [
    `\`${row.name}\``,
    row.title,
    String(row.answered ?? '–'),
    lostOf(row),
    String(findings?.shownTwice ?? '–'),
    pushedTwiceOf(row),
    healthOf(row),
    repairOf(row),
    seconds(row.red ? row.wellAfterSeconds : 0),
    `${seconds(row.answerSeconds)}, ${seconds(row.liveSeconds)}`,
    reason,
  ]
}

const lineOf = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '·')).join(' | ')} |`

/** The measurements as a Markdown table. */
export const tableOf = (rows: readonly Measurement[]): string =>
  [lineOf(columns), lineOf(columns.map(() => '---')), ...rows.map((row) => lineOf(cellsOf(row)))].join('\n')
