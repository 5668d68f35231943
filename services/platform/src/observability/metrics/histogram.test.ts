import { Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createHistogram } from './histogram.ts'

describe('a histogram', () => {
  const options = { name: 'took_seconds', help: 'What it took.', buckets: [0.1, 1, 10] }
  const values = [0.05, 0.1, 0.100_001, 5, 10, 11, 0]

  it('exposes the same values as prom-client', async () => {
    const [ours, theirs] = [new Registry(), new Registry()]
    const series = createHistogram(ours, { ...options, labels: ['route', 'status'] }).of({
      route: '/a"b',
      status: '2xx',
    })
    const library = new Histogram({ ...options, labelNames: ['route', 'status'], registers: [theirs] })
    for (const value of values) {
      series.observe(value)
      library.observe({ route: '/a"b', status: '2xx' }, value)
    }
    const lines = (text: string): readonly string[] => text.split('\n').map((line) => line.replace(/\{(.*)\}/, sorted))
    expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()))
  })

  it('has one series for the same labels', () => {
    const histogram = createHistogram(new Registry(), { ...options, labels: ['route'] })
    expect(histogram.of({ route: '/a' })).toBe(histogram.of({ route: '/a' }))
    expect(histogram.of({ route: '/b' })).not.toBe(histogram.of({ route: '/a' }))
  })
})

/** The order of labels does not matter. */
const sorted = (_: string, labels: string): string => `{${labels.split(',').toSorted().join(',')}}`
