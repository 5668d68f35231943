import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launch } from 'chrome-launcher'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { newDataFolder, repositoryRoot, seedSample, startPortal } from '@portal/system-tests/testing/portal-process'
import { browserArguments, browserPath } from './browser.ts'

/**
 * `make lighthouse` audits the two pages for visitors against a seeded portal, with a mid-range phone on a slow network. It takes the
 * median of three loads, because a busy machine lowers the performance score. It writes reports to lighthouse/.
 */
const folder = join(repositoryRoot, 'lighthouse')
const pages = ['/login', '/home']
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const minimumScore = 95
const runs = Number(process.env['RUNS'] ?? '3')

/** On a busy machine, an audit can fail with an error of this kind. It is then repeated. */
const maxAttempts = 3
const retryableErrors: ReadonlySet<string> = new Set([
  'NO_FCP',
  'NO_LCP',
  'NO_NAVSTART',
  'NO_SCORE',
  'NO_TRACING_STARTED',
  'PAGE_HUNG',
])

type Scores = Readonly<Record<(typeof categories)[number], number>>

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const scoresOf = ({ lhr }: RunnerResult): Scores => {
  const score = (category: keyof Scores) => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
  }
}

/** Starts a new browser for each load, so that no cache is warm. */
const audit = async (url: string): Promise<RunnerResult> => {
  const browser = await launch({
    chromePath: browserPath(),
    chromeFlags: ['--headless=new', ...browserArguments],
    logLevel: 'error',
  })
  try {
    const result = await lighthouse(url, {
      port: browser.port,
      output: 'html',
      logLevel: 'error',
      onlyCategories: [...categories],
    })
    if (!result) throw new Error(`Lighthouse returned no result for ${url}`)
    return result
  } finally {
    browser.kill()
  }
}

/** The error of a failed audit, or undefined. */
const failureOf = ({ lhr }: RunnerResult): { readonly code: string; readonly message: string } | undefined =>
  lhr.runtimeError ??
  (categories.some((category) => (lhr.categories[category]?.score ?? null) === null)
    ? { code: 'NO_SCORE', message: 'an audit failed' }
    : undefined)

const auditWithRetry = async (url: string): Promise<RunnerResult> => {
  for (let attempt = 1; ; attempt++) {
    const result = await audit(url)
    const failure = failureOf(result)
    if (!failure) return result
    if (!retryableErrors.has(failure.code) || attempt === maxAttempts)
      throw new Error(`${url}: ${failure.code}, ${failure.message}`)
    process.stderr.write(`${url}: ${failure.code}, attempt ${attempt} of ${maxAttempts}\n`)
  }
}

const save = async (path: string, run: number, { report }: RunnerResult): Promise<void> =>
  writeFile(join(folder, `${path.slice(1)}-${run}.html`), typeof report === 'string' ? report : report.join('\n'))

const auditPage = async (address: string, path: string): Promise<Scores> => {
  const scores: Scores[] = []
  for (let run = 1; run <= runs; run++) {
    const result = await auditWithRetry(address + path)
    await save(path, run, result)
    scores.push(scoresOf(result))
  }
  const medianOf = (category: keyof Scores) => median(scores.map((score) => score[category]))
  return {
    performance: medianOf('performance'),
    accessibility: medianOf('accessibility'),
    'best-practices': medianOf('best-practices'),
    seo: medianOf('seo'),
  }
}

await mkdir(folder, { recursive: true })
const dataFolder = await newDataFolder()
await seedSample(dataFolder.path, 20)
const portal = await startPortal({ dataDir: dataFolder.path, settings: { NODE_ENV: 'production' } })
try {
  process.stdout.write(`${''.padEnd(10)}${categories.map((category) => category.padStart(16)).join('')}\n`)
  for (const path of pages) {
    const scores = await auditPage(portal.address, path)
    const row = categories.map((category) => String(scores[category]).padStart(16)).join('')
    process.stdout.write(`${path.padEnd(10)}${row}\n`)
    if (categories.some((category) => scores[category] < minimumScore)) process.exitCode = 1
  }
  process.stdout.write(
    `${process.exitCode ? `Every score must be at least ${minimumScore}. ` : ''}Reports: ${folder}\n`,
  )
} finally {
  await portal.stop()
  await dataFolder.remove()
}
