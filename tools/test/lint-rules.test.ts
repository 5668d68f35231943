import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-rules-'))
  for (const path of ['.oxlintrc.json', 'tools/test/lint-rules.js', 'web/e2e/lint-rules.js']) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lint = (line: string, path = 'x.test.ts'): { readonly status: number | null; readonly stdout: string } => {
  writeFileSync(
    join(folder, path),
    `import { expect, vi } from 'vitest'\nexport const wait = async (page: never) => {\n  vi.useRealTimers()\n  ${line}\n}\n`,
  )
  return spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), path], {
    cwd: folder,
    encoding: 'utf8',
  })
}

describe('lint', () => {
  it.each([
    ['await vi.waitFor(() => expect(page).toBe(1))', 'no-restricted-vi-methods'],
    ['await until(() => expect(page).toBe(1), { timeoutMs: 500 })', 'long-waits'],
    ['await expect.poll(() => page, { timeout: 9_999 }).toBe(1)', 'long-waits'],
    ['await page.waitForURL("/", { timeout: 5000 })', 'long-waits'],
    ['await expect(page).toBeVisible({ timeout: 1_000 })', 'long-waits'],
    ['await screen.findByText("a", {}, { timeout: 1_000 })', 'long-waits'],
  ])('forbids %s', (line, rule) => {
    expect(lint(line).stdout).toContain(rule)
  })

  it.each([
    'await until(() => expect(page).toBe(1))',
    'await until(() => expect(page).toBe(1), { timeoutMs: 60_000 })',
    'await expect.poll(() => page).toBe(1)',
    'await askPeers(page, { timeoutMs: 300 })',
  ])('allows %s', (line) => {
    const { status, stdout } = lint(line)
    expect(stdout).not.toMatch(/long-waits|no-restricted-vi-methods/)
    expect(status).not.toBeNull()
  })

  const journey = 'web/e2e/x.test.ts'
  it.each([
    ['expect(await page.getByRole("row").count()).toBe(2)', 'no-reads-in-expect'],
    ['expect(page.url()).toContain("/home")', 'no-reads-in-expect'],
    ['expect(page.getByText("a")).toBeVisible()', 'awaited'],
    ['expect.poll(() => page).toBe(1)', 'awaited'],
  ])('forbids in a journey: %s', (line, rule) => {
    expect(lint(line, journey).stdout).toContain(rule)
  })

  it.each([
    'await expect(page.getByRole("row")).toHaveCount(2)',
    'await until(async () => expect(await page.getByRole("row").count()).toBe(2))',
  ])('allows in a journey: %s', (line) => {
    expect(lint(line, journey).stdout).not.toMatch(/no-reads-in-expect|awaited/)
  })
})
