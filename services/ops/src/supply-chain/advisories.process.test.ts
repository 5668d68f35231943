import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('./advisories-main.ts', import.meta.url))

/** Runs the program with an npm that prints the report. */
const runWith = async (
  report: unknown,
  options: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-npm-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = join(folder, 'npm')
  await writeFile(npm, `#!/bin/sh\necho '${JSON.stringify(report)}'\n`)
  await chmod(npm, 0o755)
  const { GITHUB_ACTIONS: _, ...inherited } = process.env
  const env = { ...inherited, ...environment, PATH: `${folder}:${process.env['PATH']}` }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...options], { env, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

const none = { auditReportVersion: 2, vulnerabilities: {} }
const one = {
  auditReportVersion: 2,
  vulnerabilities: {
    lodash: { severity: 'high', range: '<4', via: [{ title: 'Pollution', url: 'https://a.example' }] },
  },
}
const noAdvisories = { message: '405 Method Not Allowed' }

it('fails for an advisory, and for a registry that offers none', async () => {
  expect(await runWith(none, [])).toMatchObject({ status: 0 })
  expect(await runWith(one, [])).toMatchObject({ status: 1, output: expect.stringContaining('high  lodash <4') })
  expect(await runWith(noAdvisories, [])).toEqual({
    status: 2,
    output: 'advisories not checked: the registry offers none (405 Method Not Allowed)\n',
  })
})

it('only warns of such a registry if asked to, as an annotation on GitHub', async () => {
  const text = 'advisories not checked: the registry offers none (405 Method Not Allowed)\n'
  expect(await runWith(noAdvisories, ['--unchecked=warn'])).toEqual({ status: 0, output: `warning: ${text}` })
  const onGitHub = await runWith(noAdvisories, ['--unchecked=warn'], { GITHUB_ACTIONS: 'true' })
  expect(onGitHub).toEqual({ status: 0, output: `::warning::${text}` })
  expect(await runWith(one, ['--unchecked=warn'])).toMatchObject({ status: 1 })
})
