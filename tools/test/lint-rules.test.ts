import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-rules-'))
  for (const path of ['web/src', 'web/e2e']) mkdirSync(join(folder, path), { recursive: true })
  const rules = readFileSync(join(root, '.oxlintrc.json'), 'utf8')
  // The rules of the plugins stay where they are.
  writeFileSync(join(folder, '.oxlintrc.json'), rules.replaceAll('"./', `"${root}/`))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What lint says about each line: all of them in one run, each in a file of its own. */
const lint = (lines: readonly string[], path: string): readonly string[] => {
  const files = lines.map((_, n) => path.replace(/(?=(?:\.test)?\.tsx?$)/, String(n)))
  for (const [n, line] of lines.entries()) {
    const text = `import { expect, vi } from 'vitest'\nexport const wait = async (page: never) => {\n  vi.useRealTimers()\n  ${line}\n}\n`
    writeFileSync(join(folder, files[n] ?? ''), text)
  }
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', ...files], { cwd: folder, encoding: 'utf8' })
  const said = stdout.split('\n')
  return files.map((file) => said.filter((each) => each.startsWith(`${file}:`)).join('\n'))
}

type Forbidden = readonly (readonly [line: string, rule: string])[]
const expectLint = (path: string, forbidden: Forbidden, allowed: readonly string[]) => {
  const said = lint([...forbidden.map(([line]) => line), ...allowed], path)
  expect(forbidden.filter(([, rule], n) => !said[n]?.includes(rule))).toEqual([])
  const rules = /long-waits|no-restricted-vi-methods|no-reads-in-expect|awaited|bare-text|browsers/
  expect(said.slice(forbidden.length).filter((text) => rules.test(text))).toEqual([])
}

describe('lint', () => {
  it('forbids short waits', () => {
    expectLint(
      'x.test.ts',
      [
        ['await vi.waitFor(() => expect(page).toBe(1))', 'no-restricted-vi-methods'],
        ['await until(() => expect(page).toBe(1), { timeoutMs: 500 })', 'long-waits'],
        ['await expect.poll(() => page, { timeout: 9_999 }).toBe(1)', 'long-waits'],
        ['await page.waitForURL("/", { timeout: 5000 })', 'long-waits'],
        ['await expect(page).toBeVisible({ timeout: 1_000 })', 'long-waits'],
        ['await screen.findByText("a", {}, { timeout: 1_000 })', 'long-waits'],
      ],
      [
        'await until(() => expect(page).toBe(1))',
        'await until(() => expect(page).toBe(1), { timeoutMs: 60_000 })',
        'await expect.poll(() => page).toBe(1)',
        'await askPeers(page, { timeoutMs: 300 })',
      ],
    )
  })

  it('forbids a text beside what can change, which breaks in a translated page', () => {
    expectLint(
      'web/src/x.test.tsx',
      [
        ['return <p>{page} people</p>', 'bare-text'],
        ['return <p>Hello {page && <b>you</b>}</p>', 'bare-text'],
        ['return <p>{page && "Hello"}<b>you</b></p>', 'bare-text'],
        ['return <Button>{page}</Button>', 'bare-text'],
        ['return page.map((one) => (one ? <mark>{one}</mark> : one))', 'bare-text'],
      ],
      [
        'return <p>{`${page} people`}</p>',
        'return <p>Hello <b>{page}</b></p>',
        'return <p><span>Hello</span>{page && <b>you</b>}</p>',
        'return <Button><span>{page}</span></Button>',
        'return page.map((one) => (one ? <mark key={one}>{one}</mark> : <span key={one}>{one}</span>))',
      ],
    )
  })

  it('forbids what a supported browser lacks, unless the file asks for it or the portal adds it', () => {
    expectLint(
      'web/src/x.ts',
      [
        ['requestIdleCallback(page)', 'browsers'],
        ['window.requestIdleCallback(page)', 'browsers'],
        ['await navigator.share(page)', 'browsers'],
        ['return Object.groupBy(page, String)', 'browsers'],
        ['return new CompressionStream("gzip")', 'browsers'],
        ['return Response.json(page)', 'browsers'],
        ['return Notification.permission', 'browsers'],
        ['return navigator.userAgentData', 'browsers'],
        ['return scheduler.postTask(page)', 'browsers'],
        ['return /(?<=a)b/.test(page)', 'browsers'],
      ],
      [
        'if ("requestIdleCallback" in window) requestIdleCallback(page)',
        'await navigator.share?.(page)',
        'const restore = () => page; restore()',
        'return AbortSignal.any([AbortSignal.timeout(1)])',
        'return structuredClone(page)',
      ],
    )
  })

  it('forbids reads in an expectation of a journey, and expectations that are not awaited', () => {
    expectLint(
      'web/e2e/x.test.ts',
      [
        ['expect(await page.getByRole("row").count()).toBe(2)', 'no-reads-in-expect'],
        ['expect(page.url()).toContain("/home")', 'no-reads-in-expect'],
        ['expect(page.getByText("a")).toBeVisible()', 'awaited'],
        ['expect.poll(() => page).toBe(1)', 'awaited'],
      ],
      [
        'await expect(page.getByRole("row")).toHaveCount(2)',
        'await until(async () => expect(await page.getByRole("row").count()).toBe(2))',
      ],
    )
  })
})
