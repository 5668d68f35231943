import type { Config } from '@portal/platform/settings/config'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { problemsOf, processesStatus, type ProcessStatus, recordedDiscontinuities } from '../status/processes-status.ts'
import { fail, type Findings, info, ok } from './finding.ts'

const check = 'processes'

const findingOf = (process: ProcessStatus): Findings => {
  const problems = problemsOf(process)
  if (problems.length === 0) return [ok(check, `${process.process} is healthy (process ${process.pid})`)]
  const todo = 'see its log, and the findings about its engines'
  return problems.map((problem) => fail(check, problem, todo))
}

const loadRecorded = async (config: Config): Promise<readonly string[]> => {
  try {
    return await withServingReadModels(config, ({ control }) => recordedDiscontinuities(control))
  } catch {
    // Another check reports read models that cannot be opened.
    return []
  }
}

/** Reports the health of the processes of this data folder. */
export const checkProcesses = async (config: Config): Promise<Findings> => {
  const processes = await processesStatus(config.dataDir)
  const found = processes.flatMap(findingOf)
  const processFindings = found.length > 0 ? found : [info(check, `none is running on ${config.dataDir}`)]
  const reported = processes.flatMap(({ health }) => health?.discontinuities ?? [])
  const lines = [...new Set([...(await loadRecorded(config)), ...reported])]
  return [...processFindings, ...lines.map((text) => fail('continuity', text, 'run this command'))]
}
