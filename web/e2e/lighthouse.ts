import { mkdir, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { launch } from 'chrome-launcher'
import lighthouse, { type RunnerResult } from 'lighthouse'
import { chromium } from 'playwright-core'
import { seededEmail } from '@portal/system-tests/testing/api-client'
import {
  admin,
  newDataFolder,
  repositoryRoot,
  seedSample,
  startPortal,
} from '@portal/system-tests/testing/portal-process'
import { browserArguments, pathOf } from './browser.ts'
import type { Account } from './journeys.ts'
import { scoreWithoutWaiting } from './processor-time.ts'
import { fillLogin } from './screens.ts'

/**
 * `make lighthouse` audits two pages for visitors, one of a learner and one of an admin against a seeded portal, with a mid-range
 * phone on a slow network. It takes the median of three loads, because a busy machine lowers the performance score. A load before
 * them does not count: in it, the portal and the machine do for the first time what they do again. The column `without waiting`
 * is that score as if no task had waited for a processor. Pages load in Chromium's headless shell if that is installed, because
 * the rest of the browser takes a processor from the page. `ONLY=/login` audits one page. It writes reports to lighthouse/.
 */
const folder = join(repositoryRoot, 'lighthouse')
type AuditedPage = { readonly path: string; readonly as: Account | null }
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const columns = [...categories, 'without waiting'] as const
/** Performance depends on the machine; the others do not. */
const minimumScores = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 } as const
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

type Scores = Readonly<Record<(typeof columns)[number], number>>

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const percent = (score: number): number => Math.round(score * 100)

const scoresOf = (result: RunnerResult): Scores => {
  const score = (category: (typeof categories)[number]) => percent(result.lhr.categories[category]?.score ?? 0)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    'without waiting': percent(scoreWithoutWaiting(result)),
  }
}

/** Leaves the browser with the session in its storage and nothing in its caches. */
const startSession = async (browserUrl: string, address: string, account: Account): Promise<void> => {
  const browser = await chromium.connectOverCDP(browserUrl)
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser has no context')
  const page = await context.newPage()
  // Playwright's base URL is for contexts of its own.
  await page.goto(`${address}/login`)
  await fillLogin(page, account)
  await page.waitForLoadState('networkidle')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  const storageTypes = 'service_workers,cache_storage'
  await devtools.send('Storage.clearDataForOrigin', { origin: address, storageTypes })
  await page.close()
  await browser.close()
}

/** Starts a new browser for each load, so that no cache is warm. */
const audit = async (address: string, { path, as }: AuditedPage): Promise<RunnerResult> => {
  const url = address + path
  const browser = await launch({
    chromePath: pathOf('shell'),
    chromeFlags: ['--headless=new', ...browserArguments],
    logLevel: 'error',
  })
  try {
    if (as) await startSession(`http://127.0.0.1:${browser.port}`, address, as)
    const result = await lighthouse(url, {
      port: browser.port,
      disableStorageReset: as !== null,
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

const auditWithRetry = async (address: string, page: AuditedPage): Promise<RunnerResult> => {
  const url = address + page.path
  for (let attempt = 1; ; attempt++) {
    const result = await audit(address, page)
    // Without its session, the page would redirect to a page for visitors.
    if (new URL(result.lhr.finalDisplayedUrl).pathname !== page.path) throw new Error(`${url} was redirected`)
    const failure = failureOf(result)
    if (!failure) return result
    if (!retryableErrors.has(failure.code) || attempt === maxAttempts)
      throw new Error(`${url}: ${failure.code}, ${failure.message}`)
    process.stderr.write(`${url}: ${failure.code}, attempt ${attempt} of ${maxAttempts}\n`)
  }
}

const save = async (path: string, run: number, { report }: RunnerResult): Promise<void> =>
  writeFile(
    join(folder, `${path.slice(1).replaceAll('/', '-')}-${run}.html`),
    typeof report === 'string' ? report : report.join('\n'),
  )

const auditPage = async (address: string, page: AuditedPage): Promise<Scores> => {
  const scores: Scores[] = []
  await auditWithRetry(address, page)
  for (let run = 1; run <= runs; run++) {
    const result = await auditWithRetry(address, page)
    await save(page.path, run, result)
    scores.push(scoresOf(result))
  }
  const medianOf = (column: keyof Scores) => median(scores.map((score) => score[column]))
  return {
    performance: medianOf('performance'),
    accessibility: medianOf('accessibility'),
    'best-practices': medianOf('best-practices'),
    seo: medianOf('seo'),
    'without waiting': medianOf('without waiting'),
  }
}

await mkdir(folder, { recursive: true })
const dataFolder = await newDataFolder()
const password = await seedSample(dataFolder.path, 20)
const portal = await startPortal({ dataDir: dataFolder.path, settings: { NODE_ENV: 'production' } })
// A phone does not share its processor with the portal.
setPriority(portal.pid, constants.priority.PRIORITY_LOW)
const pages: readonly AuditedPage[] = [
  { path: '/login', as: null },
  { path: '/home', as: null },
  { path: '/notification', as: { email: seededEmail(1), password } },
  { path: '/admin/dashboard', as: admin },
]
const isWanted = ({ path }: AuditedPage): boolean => [undefined, '', path].includes(process.env['ONLY'])
const nameChars = 18
try {
  process.stdout.write(`${''.padEnd(nameChars)}${columns.map((column) => column.padStart(16)).join('')}\n`)
  for (const page of pages.filter(isWanted)) {
    const scores = await auditPage(portal.address, page)
    const row = columns.map((column) => String(scores[column]).padStart(16)).join('')
    process.stdout.write(`${page.path.padEnd(nameChars)}${row}\n`)
    if (categories.some((category) => scores[category] < minimumScores[category])) process.exitCode = 1
  }
  process.stdout.write(
    `${process.exitCode ? `Performance must be at least ${minimumScores.performance}, the others 100. ` : ''}Reports: ${folder}\n`,
  )
} finally {
  await portal.stop()
  await dataFolder.remove()
}
