import { findLostStore } from '@portal/platform/backup/lost-store'
import type { Config } from '@portal/platform/settings/config'
import { type EventLog, withLog } from '../settings/open-engines.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { continuityProblems, problemsOf, processesStatus, type ProcessStatus } from '../status/processes-status.ts'
import { fail, type Finding, type Findings, info, ok } from './finding.ts'

const check = 'processes'

const findingOf = (process: ProcessStatus): Findings => {
  const problems = problemsOf(process)
  if (problems.length === 0) return [ok(check, `${process.process} is healthy (process ${process.pid})`)]
  const todo = 'see its log, and the findings about its engines'
  return problems.map((problem) => fail(check, problem, todo))
}

const loadContinuityProblems = async (config: Config): Promise<readonly string[]> => {
  try {
    return await withServingReadModels(config, async ({ control }) => {
      const problemsWith = (log: EventLog | undefined) => continuityProblems(config, { log, control })
      return await withLog(config, problemsWith).catch(() => problemsWith(undefined))
    })
  } catch {
    // Another check reports read models that cannot be opened.
    return []
  }
}

/** Another event store is no gap that a command repairs. Its line says what to do. */
const continuityFinding = (text: string): Finding =>
  fail(
    'continuity',
    text,
    text.includes('Run: ') ? 'run this command' : 'see docs/operations.md, "Another event store"',
  )

const noneFound = async (config: Config): Promise<Finding> =>
  (await findLostStore(config)) === undefined
    ? info(check, `none is running on ${config.dataDir}`)
    : info(check, 'unknown, because they are found by the data folder')

/** Reports the health of the processes of this data folder. */
export const checkProcesses = async (config: Config): Promise<Findings> => {
  const processes = await processesStatus(config.dataDir)
  const found = processes.flatMap(findingOf)
  const processFindings = found.length > 0 ? found : [await noneFound(config)]
  const reported = processes.flatMap(({ health }) => health?.discontinuities ?? [])
  const lines = [...new Set([...(await loadContinuityProblems(config)), ...reported])]
  return [...processFindings, ...lines.map(continuityFinding)]
}
