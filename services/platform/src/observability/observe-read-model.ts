import { ReadModelEmptiedError } from '../read-model/errors.ts'
import type { CommitOutcome, ProjectionWriter, ReadModel, ReadStore } from '../read-model/port.ts'
import type { Metrics } from './metrics/metrics.ts'

/** The recorded values of the metric's label. */
const outcomeLabels = { committed: 'committed', conflict: 'conflict', fenced: 'sealed' } as const satisfies Record<
  CommitOutcome,
  string
>

/** All generations of a projection's read model are one series: 'inbox-main' and 'inbox-20261121t140102' are 'inbox'. */
const labelOf = (namespace: string): string => namespace.replace(/-(?:main|\d{8}t\d{6})$/, '')

/** The same read model, its calls counted and timed. */
export const observeReadModel = (
  readModel: ReadModel,
  { readModel: figures }: Pick<Metrics, 'readModel'>,
  namespace: string,
): ReadModel => {
  const name = labelOf(namespace)
  const timerOf = (call: string) => {
    const duration = figures.calls.of({ read_model: name, call })
    const failed = figures.callsFailed.labels({ read_model: name, call })
    return <T>(work: Promise<T>): Promise<T> => {
      const startedAtMs = performance.now()
      work.then(
        () => duration.observe((performance.now() - startedAtMs) / 1_000),
        () => failed.inc(),
      )
      return work
    }
  }
  const [commit, get, getMany, range, entry, entries, putImmutable] = [
    timerOf('commit'),
    timerOf('get'),
    timerOf('getMany'),
    timerOf('range'),
    timerOf('entry'),
    timerOf('entries'),
    timerOf('putImmutable'),
  ]
  const batches = figures.commitBatches.of({ read_model: name })
  const counterOf = (outcome: CommitOutcome) =>
    figures.commits.labels({ read_model: name, outcome: outcomeLabels[outcome] })
  const counters = { committed: counterOf('committed'), conflict: counterOf('conflict'), fenced: counterOf('fenced') }
  const count = (outcome: CommitOutcome): void => counters[outcome].inc()
  const emptied = figures.emptied.labels({ read_model: name })
  // The caller gets the failure; it is no outcome of a commit.
  const ignore = (): void => undefined

  const store: ReadStore = {
    epoch: readModel.epoch,
    lineage: readModel.lineage,
    get: (ref) => get(readModel.get(ref)),
    getMany: (refs) => getMany(readModel.getMany(refs)),
    entry: (partition, list, member) => entry(readModel.entry(partition, list, member)),
    entries: (partition, lists) => entries(readModel.entries(partition, lists)),
    range: (partition, list, wanted) => range(readModel.range(partition, list, wanted)),
  }
  const writer: ProjectionWriter = {
    commit: (one) => {
      const answer = commit(readModel.commit(one))
      batches.observe(1)
      answer.then(count, ignore)
      return answer
    },
    commitAll: (several) => {
      const answer = commit(readModel.commitAll(several))
      batches.observe(several.length)
      answer.then((all) => all.forEach(count), ignore)
      return answer
    },
    putImmutable: (ref, value) => putImmutable(readModel.putImmutable(ref, value)),
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
