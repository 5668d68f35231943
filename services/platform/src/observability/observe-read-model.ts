import { ReadModelEmptiedError } from '../read-model/errors.ts'
import type { CommitOutcome, ProjectionWriter, ReadModel, ReadStore } from '../read-model/port.ts'
import type { Metrics } from './metrics/metrics.ts'

/** The label values, which stay although the code says 'fenced'. */
const outcomeLabels = { committed: 'committed', conflict: 'conflict', fenced: 'sealed' } as const satisfies Record<
  CommitOutcome,
  string
>

/** All generations of a projection share one series: 'inbox-main' and 'inbox-20261121t140102' become 'inbox'. */
const labelOf = (namespace: string): string => namespace.replace(/-(?:main|\d{8}t\d{6})$/, '')

/** Counts and times the calls of a read model. */
export const observeReadModel = (
  readModel: ReadModel,
  { readModel: metrics }: Pick<Metrics, 'readModel'>,
  namespace: string,
): ReadModel => {
  const name = labelOf(namespace)
  const timed = <Given extends readonly unknown[], T>(call: string, work: (...given: Given) => Promise<T>) => {
    const duration = metrics.calls.of({ read_model: name, call })
    const failed = metrics.callsFailed.labels({ read_model: name, call })
    return (...given: Given): Promise<T> => {
      const startedAtMs = performance.now()
      const answer = work(...given)
      answer.then(
        () => duration.observe((performance.now() - startedAtMs) / 1_000),
        () => failed.inc(),
      )
      return answer
    }
  }
  const commit = timed('commit', readModel.commit)
  const commitAll = timed('commit', readModel.commitAll)
  const batches = metrics.commitBatches.of({ read_model: name })
  const counterOf = (outcome: CommitOutcome) =>
    metrics.commits.labels({ read_model: name, outcome: outcomeLabels[outcome] })
  const counters = { committed: counterOf('committed'), conflict: counterOf('conflict'), fenced: counterOf('fenced') }
  const count = (outcome: CommitOutcome): void => counters[outcome].inc()
  const emptied = metrics.emptied.labels({ read_model: name })
  // The caller handles the error; a failed commit has no outcome.
  const ignore = (): void => undefined

  const store: ReadStore = {
    epoch: readModel.epoch,
    lineage: readModel.lineage,
    get: timed('get', readModel.get),
    getMany: timed('getMany', readModel.getMany),
    entry: timed('entry', readModel.entry),
    entries: timed('entries', readModel.entries),
    range: timed('range', readModel.range),
  }
  const writer: ProjectionWriter = {
    commit: (one) => {
      const answer = commit(one)
      batches.observe(1)
      answer.then(count, ignore)
      return answer
    },
    commitAll: (several) => {
      const answer = commitAll(several)
      batches.observe(several.length)
      answer.then((all) => all.forEach(count), ignore)
      return answer
    },
    putImmutable: timed('putImmutable', readModel.putImmutable),
  }
  const check = async () => {
    try {
      await readModel.check()
      emptied.set(0)
    } catch (error) {
      emptied.set(error instanceof ReadModelEmptiedError ? 1 : 0)
      throw error
    }
  }
  return { ...readModel, ...store, ...writer, check }
}
