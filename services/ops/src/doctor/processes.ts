import type { Config } from '@portal/platform/settings/config'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { problemsOf, processesStatus, type ProcessStatus, recordedDiscontinuities } from '../status/processes-status.ts'
import { fail, type Findings, info, ok } from './finding.ts'

const check = 'processes'

const findingOf = (process: ProcessStatus): Findings => {
  const problems = problemsOf(process)
  if (problems.length === 0) return [ok(check, `${process.process} is well (process ${process.pid})`)]
  const todo = 'see its log, and what is said of its engines here'
  return problems.map((problem) => fail(check, problem, todo))
}

const onRecord = async (config: Config): Promise<readonly string[]> => {
  try {
    return await withServingReadModels(config, ({ control }) => recordedDiscontinuities(control))
  } catch {
    // That the read models cannot be opened is a finding of its own.
    return []
  }
}

/** What the processes of this data folder say of themselves. */
export const checkProcesses = async (config: Config): Promise<Findings> => {
  const processes = await processesStatus(config.dataDir)
  const found = processes.flatMap(findingOf)
  const asked = found.length > 0 ? found : [info(check, `none runs on ${config.dataDir}`)]
  const said = processes.flatMap(({ health }) => health?.discontinuities ?? [])
  const words = [...new Set([...(await onRecord(config)), ...said])]
  return [...asked, ...words.map((text) => fail('continuity', text, 'run the command that it names'))]
}
