import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkMarkdown } from './check.ts'

/** Part of `make lint`: prints each dead link and each long sentence of the repository's Markdown. Exit code 1 when there are any. */
const root = join(import.meta.dirname, '../../..')
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
const problems = await checkMarkdown(root, files)
for (const { file, line, message } of problems) process.stderr.write(`${file}:${line}: ${message}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
