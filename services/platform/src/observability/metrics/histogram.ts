import { Histogram as LibraryHistogram, type HistogramConfiguration, type Registry } from 'prom-client'

export type Observer = { observe(value: number): void }

type HistogramOptions<Label extends string> = {
  readonly name: string
  readonly help: string
  readonly labels: readonly Label[]
  /** Upper bounds, ascending. */
  readonly buckets: readonly number[]
}

type Histogram<Label extends string> = {
  /** Returns the series of these labels. Resolve it once, when a route or a consumer is set up. */
  of(labels: Labels<Label>): Observer
}

type Labels<Label extends string> = Readonly<Record<Label, string>>
type Sample<Label extends string> = {
  readonly metricName: string
  readonly labels: Labels<Label> & { readonly le?: string | number }
  readonly value: number
}
type Series<Label extends string> = Observer & { read(name: string): readonly Sample<Label>[] }

/** Exposes series that live outside of prom-client. */
class SeriesHistogram<Label extends string> extends LibraryHistogram<Label> {
  readonly #options: { readonly name: string; readonly help: string }
  readonly #series: ReadonlyMap<string, Series<Label>>

  constructor(configuration: HistogramConfiguration<Label>, series: ReadonlyMap<string, Series<Label>>) {
    super(configuration)
    this.#options = { name: configuration.name, help: configuration.help }
    this.#series = series
  }

  /** Called by the registry for the text format. Missing in the library's types. */
  async getForPromString() {
    const values = [...this.#series.values()].flatMap((one) => one.read(this.#options.name))
    return { ...this.#options, type: 'histogram', aggregator: 'sum', values }
  }
}

/**
 * A histogram of prom-client whose series are plain numbers. The library builds a label string per observation, which takes 350 to
 * 1,500 ns; adding to an array takes 30 to 60 ns. One inbox page makes about five observations.
 */
export const createHistogram = <Label extends string>(
  registry: Registry,
  { name, help, labels: labelNames, buckets }: HistogramOptions<Label>,
): Histogram<Label> => {
  const series = new Map<string, Series<Label>>()
  const registers = [registry]
  void new SeriesHistogram({ name, help, labelNames: [...labelNames], registers }, series)
  return {
    of: (labels) => {
      const key = JSON.stringify(labels)
      const known = series.get(key)
      if (known) return known
      const added = createSeries(labels, buckets)
      series.set(key, added)
      return added
    },
  }
}

const createSeries = <Label extends string>(labels: Labels<Label>, bounds: readonly number[]): Series<Label> => {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  let sum = 0

  return {
    observe: (value) => {
      let bucket = 0
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += value
    },
    read: (name) => {
      let total = 0
      const samples: Sample<Label>[] = counts.map((count, bucket) => {
        total += count
        return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[bucket] ?? '+Inf' }, value: total }
      })
      return [
        ...samples,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: total },
      ]
    },
  }
}

/** Buckets from half a millisecond to ten seconds. */
export const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
/** Buckets from ten milliseconds, which users do not notice, to the age of messages during a rebuild. */
export const ageBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600] as const
export const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024] as const
